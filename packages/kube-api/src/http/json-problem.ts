/**
 * Go's message for the first error in a text that is no JSON. The texts of `JSON.parse` differ between versions of
 * Node.js, and some of them have no position.
 */
export function jsonProblem(text: string): string {
  const scan: JsonScan = { text, at: 0, open: [], expects: 'value' };
  for (;;) {
    while (blanks.has(text[scan.at] ?? '')) scan.at += 1;
    const problem = takeToken(scan);
    if (problem !== undefined) return problem;
  }
}

type JsonScan = {
  readonly text: string;
  at: number;
  /** The objects and arrays that the scan is inside. */
  readonly open: ('object' | 'array')[];
  expects: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'end';
};

const blanks: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n']);
const unexpectedEnd = 'unexpected end of JSON input';

const invalidCharacter = ({ text, at }: JsonScan, where: string): string => {
  const found = text[at];
  return found === undefined ? unexpectedEnd : `invalid character ${quoteCharacter(found)} ${where}`;
};

function quoteCharacter(found: string): string {
  if (found === "'") return `'\\''`;
  return found === '"' ? `'"'` : `'${JSON.stringify(found).slice(1, -1)}'`;
}

/** @returns the problem, if the token is one */
function takeToken(scan: JsonScan): string | undefined {
  const found = scan.text[scan.at] ?? '';
  switch (scan.expects) {
    case 'keyOrEnd':
      return found === '}' ? closeInnermost(scan) : takeKey(scan);
    case 'key':
      return takeKey(scan);
    case 'colon':
      return found === ':' ? advanceTo(scan, 'value') : invalidCharacter(scan, 'after object key');
    case 'valueOrEnd':
      return found === ']' ? closeInnermost(scan) : takeValue(scan);
    case 'value':
      return takeValue(scan);
    case 'end':
      return takeAfterValue(scan);
  }
}

function advanceTo(scan: JsonScan, expects: JsonScan['expects']): undefined {
  scan.at += 1;
  scan.expects = expects;
}

function closeInnermost(scan: JsonScan): undefined {
  scan.open.pop();
  advanceTo(scan, 'end');
}

function takeKey(scan: JsonScan): string | undefined {
  if (scan.text[scan.at] !== '"') return invalidCharacter(scan, 'looking for beginning of object key string');
  return takeString(scan, 'colon');
}

function takeAfterValue(scan: JsonScan): string | undefined {
  const found = scan.text[scan.at];
  switch (scan.open.at(-1)) {
    case 'object':
      if (found === '}') return closeInnermost(scan);
      return found === ',' ? advanceTo(scan, 'key') : invalidCharacter(scan, 'after object key:value pair');
    case 'array':
      if (found === ']') return closeInnermost(scan);
      return found === ',' ? advanceTo(scan, 'value') : invalidCharacter(scan, 'after array element');
    default:
      return invalidCharacter(scan, 'after top-level value');
  }
}

function takeValue(scan: JsonScan): string | undefined {
  const found = scan.text[scan.at] ?? '';
  if (found === '{' || found === '[') {
    scan.open.push(found === '{' ? 'object' : 'array');
    return advanceTo(scan, found === '{' ? 'keyOrEnd' : 'valueOrEnd');
  }
  if (found === '"') return takeString(scan, 'end');
  if (found === '-' || isDigit(found)) return takeNumber(scan);
  const literal = ['true', 'false', 'null'].find((each) => each.startsWith(found));
  return literal === undefined ? invalidCharacter(scan, 'looking for beginning of value') : takeLiteral(scan, literal);
}

function takeLiteral(scan: JsonScan, literal: string): string | undefined {
  for (const letter of literal) {
    if (scan.text[scan.at] !== letter)
      return invalidCharacter(scan, `in literal ${literal} (expecting ${quoteCharacter(letter)})`);
    scan.at += 1;
  }
  scan.expects = 'end';
  return undefined;
}

function takeString(scan: JsonScan, next: JsonScan['expects']): string | undefined {
  const { text } = scan;
  for (scan.at += 1; text[scan.at] !== '"'; scan.at += 1) {
    const found = text[scan.at];
    if (found === undefined || found < ' ') return invalidCharacter(scan, 'in string literal');
    const problem = found === '\\' ? takeEscape(scan) : undefined;
    if (problem !== undefined) return problem;
  }
  return advanceTo(scan, next);
}

/** Ends at the last character of the escape. */
function takeEscape(scan: JsonScan): string | undefined {
  scan.at += 1;
  const code = scan.text[scan.at] ?? '';
  if (code !== 'u')
    return code !== '' && '"\\/bfnrt'.includes(code) ? undefined : invalidCharacter(scan, 'in string escape code');
  for (let digit = 0; digit < 4; digit += 1) {
    scan.at += 1;
    if (!/^[0-9a-fA-F]$/.test(scan.text[scan.at] ?? ''))
      return invalidCharacter(scan, 'in \\u hexadecimal character escape');
  }
  return undefined;
}

const isDigit = (found = ''): boolean => found >= '0' && found <= '9' && found.length === 1;

function takeDigits(scan: JsonScan, where: string): string | undefined {
  if (!isDigit(scan.text[scan.at])) return invalidCharacter(scan, where);
  while (isDigit(scan.text[scan.at])) scan.at += 1;
  return undefined;
}

/** A number has no zero before another digit: what follows such a zero is after the value. */
function takeNumber(scan: JsonScan): string | undefined {
  const { text } = scan;
  if (text[scan.at] === '-') scan.at += 1;
  if (text[scan.at] === '0') scan.at += 1;
  else {
    const problem = takeDigits(scan, 'in numeric literal');
    if (problem !== undefined) return problem;
  }
  if (text[scan.at] === '.') {
    scan.at += 1;
    const problem = takeDigits(scan, 'after decimal point in numeric literal');
    if (problem !== undefined) return problem;
  }
  if (/^[eE]$/.test(text[scan.at] ?? '')) {
    scan.at += 1;
    if (/^[+-]$/.test(text[scan.at] ?? '')) scan.at += 1;
    const problem = takeDigits(scan, 'in exponent of numeric literal');
    if (problem !== undefined) return problem;
  }
  scan.expects = 'end';
  return undefined;
}
