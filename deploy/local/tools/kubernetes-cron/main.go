// Command kubernetes-cron reads lines of a time and a schedule, separated by a tab. For each, it
// prints the time at which a CronJob is next due, `never`, or `invalid`.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		after, schedule, _ := strings.Cut(lines.Text(), "\t")
		fmt.Println(next(after, schedule))
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func next(after, schedule string) string {
	from, err := time.Parse(time.RFC3339Nano, after)
	if err != nil {
		return err.Error()
	}
	parsed, err := cron.ParseStandard(schedule)
	if err != nil {
		return "invalid"
	}
	due := parsed.Next(from.UTC())
	if due.IsZero() {
		return "never"
	}
	return due.Format("2006-01-02T15:04:05.000Z")
}
