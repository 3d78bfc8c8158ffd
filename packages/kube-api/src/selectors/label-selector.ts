import type { LabelTerm } from '@nodewright/apis';
import { badRequest } from '../http/status-error.ts';
import { labelKeyProblem, labelValueProblem } from './label-names.ts';
import { type Token, tokensOf } from './label-tokens.ts';

/**
 * Reads the `labelSelector` of a request: `app=web,tier in (a, b),!canary,n>1`. An empty text selects everything.
 * Throws a 400 in the words of a real server, which the general parser of the apis package does not know.
 */
export function parseLabelSelector(text: string): readonly LabelTerm[] {
  const reader = new Reader(tokensOf(text));
  const requirements: LabelTerm[] = [];
  if (reader.peek().kind === 'end') return requirements;
  for (;;) {
    requirements.push(requirementOf(reader));
    const separator = reader.next();
    if (separator.kind === 'end') return requirements;
    if (separator.text !== ',') throw unexpected(separator, "',' or 'end of string'");
    if (reader.peek().kind === 'end') throw badRequest("found '', expected: identifier after ','");
  }
}

class Reader {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  next(): Token {
    const token = this.peek();
    this.#position += 1;
    return token;
  }
}

const unexpected = ({ text }: Token, expected: string): Error => badRequest(`found '${text}', expected: ${expected}`);

const unparsed = (problem: string): Error => badRequest(`unable to parse requirement: ${problem}`);

function requirementOf(reader: Reader): LabelTerm {
  const isAbsent = reader.peek().text === '!';
  if (isAbsent) reader.next();
  const key = reader.next();
  if (key.kind !== 'word') throw unparsed(`found '${key.text}', expected: !, identifier, or 'end of string'`);
  const problem = labelKeyProblem(key.text);
  if (problem !== undefined) throw unparsed(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${problem}`);
  if (isAbsent) return { operator: 'notExists', key: key.text, values: [] };
  return reader.peek().text === ',' || reader.peek().kind === 'end'
    ? { operator: 'exists', key: key.text, values: [] }
    : comparison(key.text, reader);
}

function comparison(key: string, reader: Reader): LabelTerm {
  const operator = reader.next();
  switch (operator.text) {
    case '=':
    case '==':
      return { operator: 'in', key, values: checked(key, [word(reader)]) };
    case '!=':
      return { operator: 'notIn', key, values: checked(key, [word(reader)]) };
    case 'in':
      return { operator: 'in', key, values: checked(key, valueSet(reader)) };
    case 'notin':
      return { operator: 'notIn', key, values: checked(key, valueSet(reader)) };
    case '>':
    case '<':
      return { operator: operator.text === '>' ? 'greaterThan' : 'lessThan', key, values: [integer(word(reader))] };
    default:
      throw unparsed(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** What stands after `=`: nothing at all is the empty value. */
const word = (reader: Reader): string => (reader.peek().kind === 'word' ? reader.next().text : '');

function valueSet(reader: Reader): readonly string[] {
  const open = reader.next();
  if (open.text !== '(') throw unparsed(`found '${open.text}', expected: '('`);
  const values = [word(reader)];
  for (;;) {
    const separator = reader.next();
    if (separator.text === ')') return values;
    if (separator.text !== ',') throw unparsed(`found '${separator.text}', expected: ',' or ')'`);
    values.push(word(reader));
  }
}

function checked(key: string, values: readonly string[]): readonly string[] {
  values.forEach((value, index) => {
    const problem = labelValueProblem(value);
    if (problem !== undefined) {
      throw unparsed(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
    }
  });
  return values;
}

function integer(text: string): string {
  if (/^-?\d+$/.test(text)) return text;
  throw unparsed(
    `values[0]: Invalid value: ${JSON.stringify(text)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  );
}
