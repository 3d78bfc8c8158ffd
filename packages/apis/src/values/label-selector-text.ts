import { checkTerm, type LabelTerm } from './label-selector.ts';
import { ValueError } from './value-error.ts';

/** Words, and the signs between them. White space only separates. */
const token = /!=|==|[=!<>(),]|[^\s=!<>(),]+/g;

/**
 * Reads the text form of a label selector: `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>3`. An empty text
 * has no terms and selects everything.
 * @throws ValueError with what was expected where
 */
export function parseLabelSelector(text: string): readonly LabelTerm[] {
  const reader = new SelectorTokenReader(text);
  if (reader.peek() === undefined) return [];
  const terms = [readTerm(reader)];
  while (reader.peek() !== undefined) {
    reader.take(',');
    terms.push(readTerm(reader));
  }
  return terms;
}

class SelectorTokenReader {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOfSelector(text);
  }

  peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  take(expected: string): void {
    if (this.peek() !== expected) throw this.complaint(`'${expected}'`);
    this.#next += 1;
  }

  /** The next token when it is a word; an empty word when it is not. */
  word(): string {
    const found = this.peek();
    if (found === undefined || /^[=!<>(),]/.test(found)) return '';
    this.#next += 1;
    return found;
  }

  complaint(expected: string): ValueError {
    const found = this.peek();
    const place = found === undefined ? 'at its end' : `before '${found}'`;
    return new ValueError(this.#text, `a label selector: expected ${expected} ${place}`);
  }
}

function tokensOfSelector(text: string): readonly string[] {
  return text.match(token) ?? [];
}

function readTerm(reader: SelectorTokenReader): LabelTerm {
  if (reader.peek() === '!') {
    reader.take('!');
    return checkTerm({ key: readKey(reader), operator: 'notExists', values: [] });
  }
  const key = readKey(reader);
  return checkTerm({ key, ...readCondition(reader) });
}

function readKey(reader: SelectorTokenReader): string {
  const key = reader.word();
  if (key === '') throw reader.complaint('a label key');
  return key;
}

function readCondition(reader: SelectorTokenReader): Omit<LabelTerm, 'key'> {
  const sign = reader.peek();
  switch (sign) {
    case undefined:
    case ',':
      return { operator: 'exists', values: [] };
    case '=':
    case '==':
      reader.take(sign);
      return { operator: 'in', values: [reader.word()] };
    case '!=':
      reader.take(sign);
      return { operator: 'notIn', values: [reader.word()] };
    case '>':
    case '<':
      reader.take(sign);
      return { operator: sign === '>' ? 'greaterThan' : 'lessThan', values: [reader.word()] };
    case 'in':
    case 'notin':
      reader.take(sign);
      return { operator: sign === 'in' ? 'in' : 'notIn', values: readSet(reader) };
    default:
      throw reader.complaint("one of '=', '==', '!=', 'in', 'notin', '>', '<'");
  }
}

function readSet(reader: SelectorTokenReader): readonly string[] {
  reader.take('(');
  const values = [reader.word()];
  while (reader.peek() === ',') {
    reader.take(',');
    values.push(reader.word());
  }
  reader.take(')');
  return [...new Set(values)];
}
