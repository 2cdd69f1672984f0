// Parses image references as nodes do: a JSON array on standard input, and for each the parts on
// standard output, or null if it is not valid.
package main

import (
	// Digests of these algorithms are not valid without them.
	_ "crypto/sha256"
	_ "crypto/sha512"
	"encoding/json"
	"log"
	"os"

	"github.com/distribution/reference"
)

type parts struct {
	Registry   string `json:"registry"`
	Repository string `json:"repository"`
	Tag        string `json:"tag"`
	Digest     string `json:"digest"`
}

func main() {
	var images []string
	if err := json.NewDecoder(os.Stdin).Decode(&images); err != nil {
		log.Fatal(err)
	}
	parsed := make([]*parts, len(images))
	for index, image := range images {
		named, err := reference.ParseDockerRef(image)
		if err != nil {
			continue
		}
		found := parts{Registry: reference.Domain(named), Repository: reference.Path(named)}
		// ParseDockerRef adds a tag, and drops one next to a digest.
		normalized, err := reference.ParseNormalizedNamed(image)
		if err != nil {
			log.Fatal(err)
		}
		if tagged, ok := normalized.(reference.Tagged); ok {
			found.Tag = tagged.Tag()
		}
		if digested, ok := normalized.(reference.Digested); ok {
			found.Digest = digested.Digest().String()
		}
		parsed[index] = &found
	}
	if err := json.NewEncoder(os.Stdout).Encode(parsed); err != nil {
		log.Fatal(err)
	}
}
