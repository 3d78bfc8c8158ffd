import type { LabelTerm } from '@nodewright/apis';
import { badRequestError } from '../http/status-error.ts';
import { labelKeyProblem, labelValueProblem } from './label-names.ts';
import { type SelectorToken, splitSelectorTokens } from './label-tokens.ts';

/**
 * Parses the `labelSelector` of a request: `app=web,tier in (a, b),!canary,n>1`. An empty text selects everything.
 * Throws a 400 with the message of a real server, which the parser of the apis package does not produce.
 */
export function parseLabelSelectorQuery(text: string): readonly LabelTerm[] {
  const reader = new SelectorReader(splitSelectorTokens(text));
  const requirements: LabelTerm[] = [];
  if (reader.peek().kind === 'end') return requirements;
  for (;;) {
    requirements.push(requirementOf(reader));
    const separator = reader.next();
    if (separator.kind === 'end') return requirements;
    if (separator.text !== ',') throw unexpectedToken(separator, "',' or 'end of string'");
    if (reader.peek().kind === 'end') throw badRequestError("found '', expected: identifier after ','");
  }
}

class SelectorReader {
  readonly #tokens: readonly SelectorToken[];
  #position = 0;

  constructor(tokens: readonly SelectorToken[]) {
    this.#tokens = tokens;
  }

  peek(): SelectorToken {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  next(): SelectorToken {
    const token = this.peek();
    this.#position += 1;
    return token;
  }
}

const unexpectedToken = ({ text }: SelectorToken, expected: string): Error =>
  badRequestError(`found '${text}', expected: ${expected}`);

const unparsedRequirement = (problem: string): Error => badRequestError(`unable to parse requirement: ${problem}`);

function requirementOf(reader: SelectorReader): LabelTerm {
  const isAbsent = reader.peek().text === '!';
  if (isAbsent) reader.next();
  const key = reader.next();
  if (key.kind !== 'word')
    throw unparsedRequirement(`found '${key.text}', expected: !, identifier, or 'end of string'`);
  const problem = labelKeyProblem(key.text);
  if (problem !== undefined) throw unparsedRequirement(`<nil>: Invalid value: ${JSON.stringify(key.text)}: ${problem}`);
  if (isAbsent) return { operator: 'notExists', key: key.text, values: [] };
  return reader.peek().text === ',' || reader.peek().kind === 'end'
    ? { operator: 'exists', key: key.text, values: [] }
    : readComparison(key.text, reader);
}

function readComparison(key: string, reader: SelectorReader): LabelTerm {
  const operator = reader.next();
  switch (operator.text) {
    case '=':
    case '==':
      return { operator: 'in', key, values: requireLabelValues(key, [readWord(reader)]) };
    case '!=':
      return { operator: 'notIn', key, values: requireLabelValues(key, [readWord(reader)]) };
    case 'in':
      return { operator: 'in', key, values: requireLabelValues(key, readValueSet(reader)) };
    case 'notin':
      return { operator: 'notIn', key, values: requireLabelValues(key, readValueSet(reader)) };
    case '>':
    case '<':
      return {
        operator: operator.text === '>' ? 'greaterThan' : 'lessThan',
        key,
        values: [requireInteger(readWord(reader))],
      };
    default:
      throw unparsedRequirement(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
}

/** The value after `=`. An absent value is empty. */
const readWord = (reader: SelectorReader): string => (reader.peek().kind === 'word' ? reader.next().text : '');

function readValueSet(reader: SelectorReader): readonly string[] {
  const open = reader.next();
  if (open.text !== '(') throw unparsedRequirement(`found '${open.text}', expected: '('`);
  const values = [readWord(reader)];
  for (;;) {
    const separator = reader.next();
    if (separator.text === ')') return values;
    if (separator.text !== ',') throw unparsedRequirement(`found '${separator.text}', expected: ',' or ')'`);
    values.push(readWord(reader));
  }
}

function requireLabelValues(key: string, values: readonly string[]): readonly string[] {
  values.forEach((value, index) => {
    const problem = labelValueProblem(value);
    if (problem !== undefined) {
      throw unparsedRequirement(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
    }
  });
  return values;
}

function requireInteger(text: string): string {
  if (/^-?\d+$/.test(text)) return text;
  throw unparsedRequirement(
    `values[0]: Invalid value: ${JSON.stringify(text)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  );
}
