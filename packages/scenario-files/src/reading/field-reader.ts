import { isAge, parseAge } from '@nodewright/apis';
import { nearestKey } from '@nodewright/requirements';
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, visit } from 'yaml';
import { type CompiledCondition, compileCondition, ExpressionError } from '../expressions/compile-expression.ts';
import type { FilePlace, FileProblem, SourceText } from './source-text.ts';

/** A file that is read: where its problems are collected. */
export type FileReading = { readonly source: SourceText; readonly problems: FileProblem[] };

/** A condition and where it is written. */
export type PlacedCondition = CompiledCondition & { readonly place: FilePlace };

/** A value of a file, with its path in the document: `spec.steps[2].advance`. */
export class FieldReader {
  readonly path: string;
  readonly #reading: FileReading;
  readonly #node: Node | undefined;
  readonly #offset: number;

  constructor(
    reading: FileReading,
    at: { readonly node: Node | undefined; readonly path: string; readonly offset: number },
  ) {
    this.#reading = reading;
    this.#node = at.node;
    this.path = at.path;
    this.#offset = at.node?.range?.[0] ?? at.offset;
  }

  get place(): FilePlace {
    return this.#reading.source.placeOf(this.#offset);
  }

  get isMissing(): boolean {
    return this.#node === undefined || (isScalar(this.#node) && this.#node.value === null);
  }

  get isText(): boolean {
    return isScalar(this.#node) && typeof this.#node.value === 'string';
  }

  get isList(): boolean {
    return isSeq(this.#node);
  }

  get isObject(): boolean {
    return isMap(this.#node);
  }

  /** What is written, as plain JavaScript. */
  get value(): unknown {
    return this.#hasAlias() ? this.#refuseAlias() : this.#plain();
  }

  #plain(): unknown {
    return isScalar(this.#node) ? this.#node.value : (this.#node?.toJSON() as unknown);
  }

  /** Aliases may refer to what they are in. */
  #hasAlias(): boolean {
    let isFound = false;
    if (this.#node !== undefined && !isScalar(this.#node))
      visit(this.#node, {
        Alias: () => {
          isFound = true;
          return visit.BREAK;
        },
      });
    return isFound;
  }

  #refuseAlias(): undefined {
    return this.refuse(`${isAlias(this.#node) ? 'is' : 'holds'} an alias; write the value itself`);
  }

  /** Notes a problem with this value. */
  refuse(message: string, at: FilePlace = this.place): undefined {
    this.#reading.problems.push({ place: at, message: `${this.path} ${message}` });
    return undefined;
  }

  /** Notes that the value is not what is wanted. */
  want(wanted: string): undefined {
    if (this.isMissing) return this.refuse(`is missing; ${wanted}`);
    return this.#hasAlias() ? this.#refuseAlias() : this.refuse(`is ${printValue(this.#plain())}; ${wanted}`);
  }

  text(wanted = 'write a text'): string | undefined {
    const { value } = this;
    return typeof value === 'string' && value !== '' ? value : this.want(wanted);
  }

  optionalText(wanted?: string): string | undefined {
    return this.isMissing ? undefined : this.text(wanted);
  }

  /** Milliseconds. */
  duration(): number | undefined {
    const { value } = this;
    return typeof value === 'string' && isAge(value)
      ? parseAge(value)
      : this.want('write a duration such as 30m, 6h or 2d');
  }

  count(least = 1): number | undefined {
    const { value } = this;
    return typeof value === 'number' && Number.isInteger(value) && value >= least
      ? value
      : this.want(`write a whole number from ${least}`);
  }

  choice<T extends string>(values: readonly T[]): T | undefined {
    const { value } = this;
    const found = values.find((each) => each === value);
    if (found !== undefined) return found;
    const meant = typeof value === 'string' ? nearestKey(value, values) : undefined;
    return this.want(meant === undefined ? `write one of ${values.join(', ')}` : `did you mean ${meant}?`);
  }

  /** A condition, compiled; a wrong one is refused at its place in the file. */
  condition(): PlacedCondition | undefined {
    const text = this.text('write a condition such as nodes.all(n, n.ready)');
    return text === undefined ? undefined : this.conditionOf(text);
  }

  /** As `condition`, of a part of this text or of what it stands for. */
  conditionOf(text: string): PlacedCondition | undefined {
    try {
      return { ...compileCondition(text), place: this.place };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const { at, message } = error.complaint;
      return this.refuse(`is "${text}": ${message}`, this.#placeInText(text, at));
    }
  }

  /** The items of a list; of anything else none, with a problem. */
  items(wanted = 'write a list'): readonly FieldReader[] {
    if (this.isMissing) return [];
    if (!isSeq(this.#node)) {
      this.want(wanted);
      return [];
    }
    return this.#node.items.map((item, index) => this.#child(item as Node, `${this.path}[${index}]`));
  }

  /** One value, or a list of them. */
  oneOrMore(): readonly FieldReader[] {
    return this.isList ? this.items() : this.isMissing ? [] : [this];
  }

  /**
   * The fields of an object. Those that are not known are refused.
   * @returns undefined when it is no object
   */
  fields<Name extends string>(known: readonly Name[], wanted = 'write an object'): FieldsOf<Name> | undefined {
    if (!isMap(this.#node)) return this.want(`${wanted} with ${known.join(', ')}`);
    for (const pair of this.#node.items) this.#refuseUnknown(pair as Pair<Node, Node>, known);
    return Object.fromEntries(known.map((name) => [name, this.field(name)])) as FieldsOf<Name>;
  }

  /** The names of the fields that are written. */
  fieldNames(): readonly string[] {
    return isMap(this.#node) ? this.#node.items.map(({ key }) => String(isScalar(key) ? key.value : key)) : [];
  }

  field(name: string): FieldReader {
    const path = this.path === '' ? name : `${this.path}.${name}`;
    const pair = isMap(this.#node)
      ? this.#node.items.find(({ key }) => isScalar(key) && key.value === name)
      : undefined;
    return this.#child(pair?.value as Node | undefined, path);
  }

  #child(node: Node | undefined, path: string): FieldReader {
    return new FieldReader(this.#reading, { node: node ?? undefined, path, offset: this.#offset });
  }

  #refuseUnknown({ key }: Pair<Node, Node>, known: readonly string[]): void {
    const name = String(isScalar(key) ? key.value : key);
    if (known.includes(name)) return;
    const meant = nearestKey(name, known);
    const remedy = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
    const message = `${this.path === '' ? name : `${this.path}.${name}`} is no field of a scenario; ${remedy}`;
    this.#reading.problems.push({ place: this.#reading.source.placeOf(key.range?.[0] ?? this.#offset), message });
  }

  /** Where a character of an expression is in the file; the beginning of the value where the file writes it in another way. */
  #placeInText(text: string, at: number): FilePlace {
    const [start = this.#offset, end = this.#offset] = this.#node?.range ?? [];
    const { source } = this.#reading;
    const found = source.text.slice(start, end).indexOf(text);
    return source.placeOf(found === -1 ? start : start + found + at);
  }
}

export type FieldsOf<Name extends string> = Readonly<Record<Name, FieldReader>>;

const longestValue = 60;

function printValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
