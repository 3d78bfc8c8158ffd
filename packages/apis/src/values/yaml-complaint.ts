import { Lexer, Parser } from 'yaml';

/** The limit of collections inside each other. */
const mostNestedCollections = 1_000;

/** The limit of aliases in a text. The parser looks each of them up in the whole document. */
const mostAliases = 100;

/** The lexer announces the text of a scalar with this character. */
const scalarMark = '\u001f';

/**
 * Why a YAML text may not be parsed, in the words of a Kubernetes API server; undefined when it may. The parser recurses
 * once per level, and a stack overflow inside a regular expression ends the process, so callers check every text first.
 */
export function yamlComplaint(text: string): string | undefined {
  const parser = new Parser();
  let aliases = 0;
  let previous = '';
  for (const lexeme of new Lexer().lex(text)) {
    // The parser returns whole documents. Its stack has the collections that are open.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > mostNestedCollections) return 'exceeded max depth';
    if (lexeme.startsWith('*') && previous !== scalarMark) aliases += 1;
    if (aliases > mostAliases) return 'yaml: document contains excessive aliasing';
    previous = lexeme;
  }
  return undefined;
}
