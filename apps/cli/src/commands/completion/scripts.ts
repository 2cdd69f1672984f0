import type { Shell } from './shells.ts'

/**
 * The scripts. They ask `slipway __complete WORDS…`, whose last word is the one to complete, for
 * lines of a word, a tab and what it means.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  // bash splits words at characters like @ and =, which are parts of our words, and replaces only
  // the last part. So the words are read from the line, and replies lose what precedes that part.
  bash: `# Completes slipway in bash.
_slipway() {
  local line=\${COMP_LINE:0:COMP_POINT} current=\${COMP_WORDS[COMP_CWORD]} reply
  local -a words
  read -r -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local word=\${words[\${#words[@]} - 1]}
  [[ $current == [=@:] ]] && current=""
  current=\${current:0:\${#word}}
  local before=\${word%"$current"}
  COMPREPLY=()
  while IFS=$'\\t' read -r reply _; do
    [[ -n $reply ]] && COMPREPLY+=("\${reply#"$before"}")
  done < <(slipway __complete "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _slipway slipway
`,
  zsh: `#compdef slipway
# Completes slipway in zsh.
_slipway() {
  local reply
  local -a replies
  for reply in "\${(@f)$(slipway __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $reply ]] && replies+=("\${\${reply%%$'\\t'*}//:/\\\\:}:\${reply#*$'\\t'}")
  done
  if (( \${#replies} )); then
    _describe -V slipway replies
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _slipway ]]; then _slipway "$@"; else compdef _slipway slipway; fi
`,
  fish: `# Completes slipway in fish.
function __slipway_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l replies (slipway __complete $words[2..-1] "$current" 2>/dev/null)
    if test (count $replies) -gt 0
        printf '%s\\n' $replies
    else
        __fish_complete_path "$current"
    end
end
complete -c slipway -e
complete -c slipway -f -k -a '(__slipway_complete)'
`,
}
