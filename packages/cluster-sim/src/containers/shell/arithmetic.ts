import { ShellSyntaxError } from './syntax.ts';

const tokenPattern = /\s*(\d+|[A-Za-z_][A-Za-z0-9_]*|<=|>=|==|!=|&&|\|\||[-+*/%()<>!])/y;

/** The operators of two sides, the weakest first. */
const operatorLevels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

/**
 * The value of `$((...))`: whole numbers, variables, the usual operators and brackets. Throws `ShellSyntaxError` for what it
 * cannot read and for a division by zero.
 * @param valueOf the text of a variable; what is no number counts as 0
 */
export function evaluateArithmetic(text: string, valueOf: (name: string) => string): number {
  const reader = new ArithmeticReader(arithmeticTokens(text), valueOf);
  const value = reader.value(0);
  reader.end();
  return value;
}

function arithmeticTokens(text: string): readonly string[] {
  const found: string[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(text);
    if (match === null) throw new ShellSyntaxError('arithmetic syntax error');
    found.push(match[1] ?? '');
    at = tokenPattern.lastIndex;
  }
  return found;
}

class ArithmeticReader {
  readonly #tokens: readonly string[];
  readonly #valueOf: (name: string) => string;
  #at = 0;

  constructor(tokens: readonly string[], valueOf: (name: string) => string) {
    this.#tokens = tokens;
    this.#valueOf = valueOf;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new ShellSyntaxError('arithmetic syntax error');
  }

  /** @param level of the weakest operator that it may have */
  value(level: number): number {
    const operators = operatorLevels[level];
    if (operators === undefined) return this.#operand();
    let left = this.value(level + 1);
    for (let operator = this.#tokens[this.#at]; operators.includes(operator ?? ''); operator = this.#tokens[this.#at]) {
      this.#at += 1;
      left = combine(left, operator ?? '', this.value(level + 1));
    }
    return left;
  }

  #operand(): number {
    const token = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    if (token === '-') return -this.#operand();
    if (token === '+') return this.#operand();
    if (token === '!') return Number(this.#operand() === 0);
    if (token === '(') {
      const inner = this.value(0);
      if (this.#tokens[this.#at] !== ')') throw new ShellSyntaxError('arithmetic syntax error');
      this.#at += 1;
      return inner;
    }
    if (/^\d/.test(token)) return Number(token);
    if (/^\w/.test(token)) return wholeNumberOf(this.#valueOf(token));
    throw new ShellSyntaxError('arithmetic syntax error');
  }
}

const wholeNumberOf = (text: string): number => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : 0);

function combine(left: number, operator: string, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
    case '%':
      if (right === 0) throw new ShellSyntaxError('divide by zero');
      return operator === '/' ? Math.trunc(left / right) : left % right;
    case '||':
      return Number(left !== 0 || right !== 0);
    case '&&':
      return Number(left !== 0 && right !== 0);
    default:
      return Number(isOrderedBy(left, operator, right));
  }
}

function isOrderedBy(left: number, operator: string, right: number): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
