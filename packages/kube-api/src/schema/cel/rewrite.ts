/** String literals of CEL, raw ones included. A call inside a literal is not renamed. */
const textLiteral = /[rR]?(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/y;
const rawLiteral = /[rR](?:"[^"]*"|'[^']*')/y;
const functionCall = /([A-Za-z_][A-Za-z0-9_]*)(\s*\()/y;
const wordOrCharacter = /[A-Za-z0-9_]+|[^]/y;

/** Renames calls of functions that the library does not let us replace, so that our implementation runs. */
export function renameCalls(expression: string, names: ReadonlyMap<string, string>): string {
  let result = '';
  for (let at = 0; at < expression.length;) {
    const piece = matchAt(rawLiteral, expression, at) ?? matchAt(textLiteral, expression, at);
    const called = piece === undefined ? matchAt(functionCall, expression, at) : undefined;
    const text = piece?.[0] ?? called?.[0] ?? matchAt(wordOrCharacter, expression, at)?.[0] ?? '';
    result += called === undefined ? text : `${names.get(called[1] ?? '') ?? called[1]}${called[2]}`;
    at += text.length;
  }
  return result;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
