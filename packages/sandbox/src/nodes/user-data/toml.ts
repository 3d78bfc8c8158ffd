/** A value of TOML, without its dates: settings of Bottlerocket have none. */
export type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;
export type TomlTable = { readonly [key: string]: TomlValue };

type Building = { [key: string]: TomlValue | Building };

/**
 * Reads tables, dotted and quoted keys, strings, numbers, booleans, arrays and inline tables.
 * @throws SyntaxError naming the line that is none of these
 */
export function parseToml(text: string): TomlTable {
  const root: Building = {};
  let table = root;
  const reader = new Reader(text);
  while (reader.skipBlank()) {
    if (reader.take('[')) {
      const doubled = reader.take('[');
      table = tableAt(root, reader.keyPath());
      reader.expect(doubled ? ']]' : ']');
    } else {
      assign(table, reader);
    }
  }
  return root;
}

function assign(table: Building, reader: Reader): void {
  const path = reader.keyPath();
  reader.expect('=');
  tableAt(table, path.slice(0, -1))[path.at(-1) ?? ''] = reader.value();
}

function tableAt(from: Building, path: readonly string[]): Building {
  return path.reduce<Building>((table, key) => (table[key] ??= {}) as Building, from);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Passes white space, line ends and remarks; false at the end of the text. */
  skipBlank(): boolean {
    this.match(/(?:\s|#[^\n]*)*/y);
    return this.#at < this.#text.length;
  }

  take(sign: string): boolean {
    const found = this.#text.startsWith(sign, this.#at);
    if (found) this.#at += sign.length;
    return found;
  }

  expect(sign: string): void {
    this.match(/[ \t]*/y);
    if (!this.take(sign)) throw this.complaint(`'${sign}'`);
  }

  keyPath(): readonly string[] {
    const path = [this.key()];
    while (this.match(/[ \t]*\.[ \t]*/y) !== undefined) path.push(this.key());
    return path;
  }

  value(): TomlValue {
    this.match(/[ \t]*/y);
    if (this.take('[')) return this.array();
    if (this.take('{')) return this.inlineTable();
    const string = this.string();
    if (string !== undefined) return string;
    const word = this.match(/[^\s,\]}#]+/y);
    if (word === 'true' || word === 'false') return word === 'true';
    const number = Number(word?.replaceAll('_', '') ?? Number.NaN);
    if (Number.isNaN(number)) throw this.complaint('a value');
    return number;
  }

  private key(): string {
    this.match(/[ \t]*/y);
    const key = this.string() ?? this.match(/[A-Za-z0-9_-]+/y);
    if (key === undefined) throw this.complaint('a key');
    return key;
  }

  private array(): readonly TomlValue[] {
    const items: TomlValue[] = [];
    for (;;) {
      this.skipBlank();
      if (this.take(']')) return items;
      items.push(this.value());
      this.skipBlank();
      if (!this.take(',') && !this.#text.startsWith(']', this.#at)) throw this.complaint("',' or ']'");
    }
  }

  private inlineTable(): TomlTable {
    const table: Building = {};
    for (;;) {
      this.skipBlank();
      if (this.take('}')) return table;
      assign(table, this);
      this.skipBlank();
      if (!this.take(',') && !this.#text.startsWith('}', this.#at)) throw this.complaint("',' or '}'");
    }
  }

  private string(): string | undefined {
    const multiline = this.match(/"""(?:\\.|[^\\])*?"""|'''[^]*?'''/y);
    if (multiline !== undefined) return unescape(multiline.slice(3, -3).replace(/^\n/, ''), multiline[0]);
    const quoted = this.match(/"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y);
    return quoted === undefined ? undefined : unescape(quoted.slice(1, -1), quoted[0]);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  private complaint(expected: string): SyntaxError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new SyntaxError(`line ${line} of the TOML text: expected ${expected}`);
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

/** Only basic strings know escapes; literal strings are taken as they stand. */
function unescape(text: string, quote: string | undefined): string {
  if (quote === "'") return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs, (_, short, long, sign: string) => {
    const code = (short ?? long) as string | undefined;
    return code === undefined ? (escapes[sign] ?? sign) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}
