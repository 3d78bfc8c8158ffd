import { Lexer, Parser } from 'yaml';

/** How deep the collections of a document may lie in each other. */
const mostDepth = 1_000;

/**
 * Whether collections of a YAML text lie too deep in each other to be read. The parser goes one call deeper with each,
 * and a stack that ends inside a regular expression ends the whole process, so no text may be parsed unasked.
 */
export function isYamlTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // What the parser hands out are whole documents; what it has open is in its stack.
    for (const _document of parser.next(lexeme)) continue;
    if (parser.stack.length > mostDepth) return true;
  }
  return false;
}
