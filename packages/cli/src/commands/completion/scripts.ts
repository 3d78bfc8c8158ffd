export const completionShells = ['bash', 'zsh', 'fish'] as const;

export type CompletionShell = (typeof completionShells)[number];

/** The word by which the scripts ask for proposals. It is for programs, and no command is listed under it. */
export const proposalWord = '__complete';

/** A script that asks `nodewright` itself what may follow, so that it never lags behind the commands. */
export const completionScripts: Readonly<Record<CompletionShell, string>> = {
  bash: `_nodewright() {
  local IFS=$'\\n' words
  words=$(nodewright ${proposalWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _nodewright nodewright
`,
  zsh: `#compdef nodewright
_nodewright() {
  local -a proposals
  proposals=(\${(f)"$(nodewright ${proposalWord} "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')"})
  if (( \${#proposals} )); then _describe 'nodewright' proposals; else _files; fi
}
compdef _nodewright nodewright
`,
  fish: `function __nodewright_proposals
  set -l words (commandline --tokenize --cut-at-cursor)[2..] (commandline --current-token --cut-at-cursor)
  nodewright ${proposalWord} $words 2>/dev/null
end
complete --command nodewright --arguments '(__nodewright_proposals)'
`,
};
