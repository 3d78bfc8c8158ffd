import { isTable, type TomlTable, type TomlValue } from './toml.ts';

/** @throws SyntaxError with the line */
export function parseToml(text: string): TomlTable {
  return new TomlReader(text).read();
}

class TomlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n');
  }

  read(): TomlTable {
    const root: TomlTable = {};
    let section = root;
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      if (this.#peek() === '[') section = this.#header(root);
      else this.#assignment(section);
    }
    return root;
  }

  #header(root: TomlTable): TomlTable {
    const isList = this.#text.startsWith('[[', this.#at);
    this.#expect(isList ? '[[' : '[');
    const path = this.#keys();
    this.#expect(isList ? ']]' : ']');
    this.#endOfLine();
    return isList ? this.#appended(root, path) : this.#tableAt(root, path);
  }

  #appended(root: TomlTable, path: readonly string[]): TomlTable {
    const parent = this.#tableAt(root, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    const known = parent[name];
    const entry: TomlTable = {};
    parent[name] = Array.isArray(known) ? [...known, entry] : [entry];
    return entry;
  }

  #tableAt(root: TomlTable, path: readonly string[]): TomlTable {
    return path.reduce<TomlTable>((table, key) => {
      const known = (table[key] ??= {});
      const inner = Array.isArray(known) ? known.at(-1) : known;
      return isTable(inner) ? inner : this.#fail(`${key} is no table`);
    }, root);
  }

  #assignment(section: TomlTable): void {
    const path = this.#keys();
    this.#expect('=');
    this.#blanks();
    const table = this.#tableAt(section, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    if (Object.hasOwn(table, name)) this.#fail(`${name} is set twice`);
    table[name] = this.#value();
    this.#endOfLine();
  }

  #keys(): string[] {
    const keys = [this.#key()];
    while (this.#peek() === '.') {
      this.#at += 1;
      keys.push(this.#key());
    }
    return keys;
  }

  #key(): string {
    this.#blanks();
    const sign = this.#peek();
    const key = sign === '"' || sign === "'" ? this.#string() : this.#match(/[A-Za-z0-9_-]+/y);
    this.#blanks();
    return key ?? this.#fail('a key is missing');
  }

  #value(): TomlValue {
    const sign = this.#peek();
    if (sign === '"' || sign === "'") return this.#string();
    if (sign === '[') return this.#array();
    if (sign === '{') return this.#inlineTable();
    const word = this.#match(/[^\s,\]}#]+/y) ?? this.#fail('a value is missing');
    if (word === 'true' || word === 'false') return word === 'true';
    const number = Number(word.replaceAll('_', ''));
    return Number.isFinite(number) ? number : this.#fail(`${word} is no value`);
  }

  #string(): string {
    if (this.#text.startsWith('"""', this.#at) || this.#text.startsWith("'''", this.#at)) return this.#longString();
    if (this.#peek() === "'") return this.#match(/'[^'\n]*'/y)?.slice(1, -1) ?? this.#fail('a string has no end');
    const literal = this.#match(/"(?:\\.|[^"\\\n])*"/y) ?? this.#fail('a string has no end');
    return this.#unescaped(literal.slice(1, -1));
  }

  #longString(): string {
    const quote = this.#text.slice(this.#at, this.#at + 3);
    const end = this.#text.indexOf(quote, this.#at + 3);
    if (end < 0) this.#fail('a string has no end');
    const inside = this.#text.slice(this.#at + 3, end).replace(/^\n/, '');
    this.#at = end + 3;
    return quote === "'''" ? inside : this.#unescaped(inside.replaceAll(/\\\s*\n\s*/g, ''));
  }

  #unescaped(text: string): string {
    const escapes: Readonly<Record<string, string>> = {
      n: '\n',
      t: '\t',
      r: '\r',
      b: '\b',
      f: '\f',
      '"': '"',
      '\\': '\\',
    };
    return text.replaceAll(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gs, (_, sign: string) =>
      sign.length > 1
        ? String.fromCodePoint(Number.parseInt(sign.slice(1), 16))
        : (escapes[sign] ?? this.#fail(`\\${sign} is no escape`)),
    );
  }

  #array(): TomlValue[] {
    const values: TomlValue[] = [];
    this.#expect('[');
    for (this.#skip(); this.#peek() !== ']'; this.#skip()) {
      values.push(this.#value());
      this.#skip();
      if (this.#peek() !== ']') this.#expect(',');
    }
    this.#expect(']');
    return values;
  }

  #inlineTable(): TomlTable {
    const table: TomlTable = {};
    this.#expect('{');
    for (this.#blanks(); this.#peek() !== '}'; this.#blanks()) {
      const path = this.#keys();
      this.#expect('=');
      this.#blanks();
      this.#tableAt(table, path.slice(0, -1))[path.at(-1) ?? ''] = this.#value();
      this.#blanks();
      if (this.#peek() !== '}') this.#expect(',');
    }
    this.#expect('}');
    return table;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #expect(sign: string): void {
    if (!this.#text.startsWith(sign, this.#at)) this.#fail(`${sign} is missing`);
    this.#at += sign.length;
  }

  #blanks(): void {
    this.#match(/[ \t]*/y);
  }

  /** Blanks, line ends and remarks. */
  #skip(): void {
    this.#match(/(?:\s|#[^\n]*)*/y);
  }

  #endOfLine(): void {
    if (this.#match(/[ \t]*(?:#[^\n]*)?(?:\n|$)/y) === undefined) this.#fail('more on the line than one value');
  }

  #fail(complaint: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    throw new SyntaxError(`userData is no TOML, line ${line}: ${complaint}`);
  }
}
