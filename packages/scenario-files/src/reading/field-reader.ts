import { isAge, parseAge } from '@nodewright/apis';
import { nearestKey } from '@nodewright/requirements';
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, visit } from 'yaml';
import { type CompiledCondition, compileCondition, ExpressionError } from '../expressions/compile-expression.ts';
import type { FilePlace, SteppedZone, FileProblem, SourceText } from './source-text.ts';

/** A file that is read: where its problems are collected. */
export type FileReading = {
  readonly source: SourceText;
  readonly problems: FileProblem[];
  /** Paths of fields that are there under a name with a slip. That they are missing is no second problem. */
  readonly misspelt: Set<string>;
  /** The zones of the scenario's cluster, as far as its file says them. */
  zones?: readonly string[];
  /** The zones that were read meanwhile: which there are is known with the manifests. */
  readonly steppedZones: SteppedZone[];
};

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

  /** Whether one of its fields has a name with a slip, so that what it lacks is told already. */
  get hasMisspelt(): boolean {
    return [...this.#reading.misspelt].some((path) => path.startsWith(`${this.path}.`));
  }

  /** Notes a problem with this value. */
  refuse(message: string, at: FilePlace = this.place): undefined {
    this.#reading.problems.push({ place: at, message: `${this.path} ${message}` });
    return undefined;
  }

  /** Notes that the value is not what is wanted. */
  want(wanted: string): undefined {
    if (this.isMissing) return this.#refuseMissing(wanted);
    return this.#hasAlias() ? this.#refuseAlias() : this.refuse(`is ${printValue(this.#plain())}; ${wanted}`);
  }

  #refuseMissing(wanted: string): undefined {
    if (this.#reading.misspelt.has(this.path)) return undefined;
    const { tag = '' } = this.#node ?? {};
    return tag.startsWith('!') && !tag.startsWith('!!')
      ? this.refuse(`begins with !, which YAML takes for a tag; put the whole condition in quotes`)
      : this.refuse(`is missing; ${wanted}`);
  }

  text(wanted = 'write a text'): string | undefined {
    const { value } = this;
    return typeof value === 'string' && value !== '' ? value : this.want(wanted);
  }

  optionalText(wanted?: string): string | undefined {
    return this.isMissing ? undefined : this.text(wanted);
  }

  /** A zone of the cluster: about any other one nothing would ever happen. */
  optionalZone(): string | undefined {
    const { zones = [] } = this.#reading;
    const zone = this.optionalText('write a zone such as us-east-1a');
    if (zone !== undefined) this.#reading.steppedZones.push({ zone, place: this.place, path: this.path });
    return zone === undefined || zones.length === 0 || zones.includes(zone)
      ? zone
      : this.want(`the cluster has ${zones.join(', ')}`);
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
      if (this.#isEndOfDivided(text)) return undefined;
      const { at, message } = error.complaint;
      if (this.#isBeginOfDivided(text))
        return this.refuse(`is "${text}": YAML ends the text at the comma; put the whole condition in quotes`);
      return this.refuse(`is "${text}": ${message}`, this.#placeInText(text, at));
    }
  }

  /** Whether a comma in brackets or braces has divided what was meant as one text, and this is its beginning. */
  #isBeginOfDivided(text: string): boolean {
    const [, end = 0] = this.#node?.range ?? [];
    return this.#isPlainScalar && countOpen(text) > 0 && /^\s*,/.test(this.#reading.source.text.slice(end));
  }

  /** Whether this is a later part of such a text; the beginning is refused. */
  #isEndOfDivided(text: string): boolean {
    return (
      this.#isPlainScalar &&
      countOpen(text) < 0 &&
      this.#reading.source.text.slice(0, this.#offset).trimEnd().endsWith(',')
    );
  }

  get #isPlainScalar(): boolean {
    return isScalar(this.#node) && this.#node.type === 'PLAIN';
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
    this.refuseOthers(known);
    return Object.fromEntries(known.map((name) => [name, this.field(name)])) as FieldsOf<Name>;
  }

  /** Refuses fields of an object that are not known, each at its place. `of` says whose fields they would be. */
  refuseOthers(known: readonly string[], of = 'a scenario'): void {
    if (!isMap(this.#node)) return;
    for (const pair of this.#node.items) this.#refuseUnknown(pair as Pair<Node, Node>, known, of);
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

  #refuseUnknown({ key }: Pair<Node, Node>, known: readonly string[], of: string): void {
    const name = String(isScalar(key) ? key.value : key);
    if (known.includes(name) || countOpen(name) < 0) return;
    const meant = nearestKey(name, known);
    if (meant !== undefined) this.#reading.misspelt.add(`${this.path}.${meant}`);
    const has = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
    const remedy = meant === undefined ? has : `did you mean ${meant}?`;
    const message = `${this.path === '' ? name : `${this.path}.${name}`} is no field of ${of}; ${remedy}`;
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

/** How many brackets are open at the end of a text; below 0 where it closes more than it opens. */
const countOpen = (text: string): number => text.split('(').length - text.split(')').length;

const longestValue = 60;

function printValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
