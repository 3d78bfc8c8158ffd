/** The beginning of an object that an expression makes: `Object.spec{` or `JSONPatch{`. */
const objectStart = /(?:Object(?:\.[A-Za-z_]\w*)*|JSONPatch)\s*\{/y;
const fieldName = /(\s*)(?:`([^`]+)`|([A-Za-z_]\w*))(\s*:)/y;
const literal = /[rR]?(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/y;
const other = /[A-Za-z0-9_.]+|[^]/y;

const openingMarks: ReadonlySet<string> = new Set(['{', '[', '(']);
const closingMarks: ReadonlySet<string> = new Set(['}', ']', ')']);

/**
 * Rewrites the objects of a mutation as maps, which the CEL library has: `Object.spec{replicas: 3}` becomes
 * `{"replicas": 3}`. The types in their names are not checked.
 */
export function rewriteObjectLiterals(expression: string): string {
  let result = '';
  const open: ('object' | 'other')[] = [];
  let awaitsField = false;
  for (let at = 0; at < expression.length;) {
    const field: RegExpExecArray | undefined = awaitsField ? matchFrom(fieldName, expression, at) : undefined;
    const start: RegExpExecArray | undefined = field === undefined ? matchFrom(objectStart, expression, at) : undefined;
    const piece: RegExpExecArray | undefined =
      field ?? start ?? matchFrom(literal, expression, at) ?? matchFrom(other, expression, at);
    const text: string = piece?.[0] ?? '';
    if (field !== undefined) result += `${field[1]}${quoteField(field)}${field[4]}`;
    else result += start === undefined ? text : '{';
    if (start !== undefined) open.push('object');
    else if (openingMarks.has(text)) open.push('other');
    else if (closingMarks.has(text)) open.pop();
    const isInObject = open.at(-1) === 'object';
    awaitsField = isInObject && (start !== undefined || text === ',' || (awaitsField && text.trim() === ''));
    at += text.length;
  }
  return result;
}

const quoteField = ([, , quoted, name = '']: RegExpExecArray): string => JSON.stringify(quoted ?? unescapeField(name));

const escapedParts: readonly (readonly [RegExp, string])[] = [
  [/__dash__/g, '-'],
  [/__dot__/g, '.'],
  [/__slash__/g, '/'],
  [/__underscores__/g, '__'],
];

/** The name of a member that an identifier stands for: `x__dash__prop` is `x-prop`, `__namespace__` is `namespace`. */
function unescapeField(name: string): string {
  const word = /^__([a-z]+)__$/.exec(name)?.[1];
  if (word !== undefined && !['dash', 'dot', 'slash', 'underscores'].includes(word)) return word;
  return escapedParts.reduce((text, [from, to]) => text.replaceAll(from, to), name);
}

function matchFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
