import { type Redirection, type ScriptWord, ShellSyntaxError, type WordPart } from './syntax.ts';

export type ShellToken =
  | { readonly kind: 'word'; readonly word: ScriptWord; readonly plain: string | undefined }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'redirection'; readonly redirection: Redirection | undefined };

const operators = ['&&', '||', ';;', ';', '|', '&', '(', ')', '\n'];
const redirection = /^(&|[0-9]?)(>>?|<)(&[0-9]|\s*[^\s;|&<>()]+)/;

/** Divides a script into words, operators and redirections. */
export function scriptTokens(script: string): readonly ShellToken[] {
  const tokens: ShellToken[] = [];
  let rest = script;
  while (rest !== '') {
    const blank = /^(?:[ \t\r]|\\\n)+|^#[^\n]*/.exec(rest)?.[0];
    const redirected = redirection.exec(rest);
    const operator = operators.find((each) => rest.startsWith(each));
    if (blank !== undefined) rest = rest.slice(blank.length);
    else if (redirected !== null) {
      tokens.push({ kind: 'redirection', redirection: redirectionOf(redirected) });
      rest = rest.slice(redirected[0].length);
    } else if (operator !== undefined) {
      tokens.push({ kind: 'operator', text: operator });
      rest = rest.slice(operator.length);
    } else {
      const { word, length } = readScriptWord(rest);
      if (length === 0) throw new ShellSyntaxError(`syntax error: unexpected "${rest[0]}"`);
      tokens.push({ kind: 'word', word, plain: keywordText(word, rest.slice(0, length)) });
      rest = rest.slice(length);
    }
  }
  return tokens;
}

/** `2>&1`, `>&2` and output into files, which is not kept; input from files changes nothing. */
function redirectionOf([, descriptor, direction, target = '']: RegExpExecArray): Redirection | undefined {
  if (direction === '<') return undefined;
  const from = descriptor === '2' ? 'stderr' : 'stdout';
  if (target === '&1') return { from, to: 'stdout' };
  if (target === '&2' || /^\s*\/dev\/stderr$/.test(target)) return { from, to: 'stderr' };
  return { from, to: /^\s*\/(dev\/stdout|proc\/1\/fd\/1)$/.test(target) ? 'stdout' : 'nowhere' };
}

/** The text of a word without quotes and variables. Only such a word is a keyword. */
const keywordText = (word: ScriptWord, source: string): string | undefined => {
  const [part] = word;
  return word.length === 1 && part?.kind === 'text' && part.text === source ? source : undefined;
};

type Reading = { readonly parts: readonly WordPart[]; readonly length: number };

function readScriptWord(text: string): { readonly word: ScriptWord; readonly length: number } {
  const parts: WordPart[] = [];
  let at = 0;
  while (at < text.length && !/[\s;|&<>()]/.test(text[at] ?? '')) {
    const read = readPart(text.slice(at));
    parts.push(...read.parts);
    at += read.length;
  }
  return { word: joinTexts(parts), length: at };
}

function readPart(text: string): Reading {
  switch (text[0]) {
    case "'":
      return readLiteral(text);
    case '"':
      return readQuoted(text);
    case '\\':
      return { parts: [textPart(text[1] === '\n' ? '' : (text[1] ?? '\\'))], length: 2 };
    case '$':
      return readExpansion(text, false);
    default: {
      const plain = /^[^\s;|&<>()'"\\$]+/.exec(text)?.[0] ?? text.slice(0, 1);
      return { parts: [textPart(plain)], length: plain.length };
    }
  }
}

function readLiteral(text: string): Reading {
  const end = text.indexOf("'", 1);
  if (end < 0) throw new ShellSyntaxError('unterminated quoted string');
  return { parts: [textPart(text.slice(1, end))], length: end + 1 };
}

function readQuoted(text: string): Reading {
  const parts: WordPart[] = [textPart('')];
  let at = 1;
  while (text[at] !== '"') {
    if (at >= text.length) throw new ShellSyntaxError('unterminated quoted string');
    const read = readQuotedPart(text.slice(at));
    parts.push(...read.parts);
    at += read.length;
  }
  return { parts, length: at + 1 };
}

function readQuotedPart(text: string): Reading {
  if (text[0] === '$') return readExpansion(text, true);
  if (text[0] === '\\' && /^\\["\\$`]/.test(text)) return { parts: [textPart(text[1] ?? '')], length: 2 };
  const plain = /^[^"$\\]+/.exec(text)?.[0] ?? text.slice(0, 1);
  return { parts: [textPart(plain)], length: plain.length };
}

function readExpansion(text: string, isQuoted: boolean): Reading {
  if (text.startsWith('$(')) {
    const length = closingLength(text);
    if (text.startsWith('$((') && text.endsWith('))', length)) {
      const { parts } = readQuoted(`"${text.slice(3, length - 2)}"`);
      return { parts: [{ kind: 'sum', expression: joinTexts(parts), isQuoted }], length };
    }
    return { parts: [{ kind: 'output', script: text.slice(2, length - 1), isQuoted }], length };
  }
  const named = /^\$(?:\{([A-Za-z0-9_?]+)(?::?-([^}]*))?\}|([A-Za-z_][A-Za-z0-9_]*|[?$0-9@*]))/.exec(text);
  if (named === null) return { parts: [textPart('$')], length: 1 };
  const name = named[1] ?? named[3] ?? '';
  return { parts: [{ kind: 'variable', name, otherwise: named[2] ?? '', isQuoted }], length: named[0].length };
}

/** The length of `$(...)` with the brackets inside it. */
function closingLength(text: string): number {
  let depth = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  throw new ShellSyntaxError('unexpected end of file');
}

const textPart = (text: string): WordPart => ({ kind: 'text', text });

function joinTexts(parts: readonly WordPart[]): ScriptWord {
  const joined: WordPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') joined[joined.length - 1] = textPart(last.text + part.text);
    else joined.push(part);
  }
  return joined;
}
