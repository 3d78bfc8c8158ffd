/** What keys on a terminal come to: lines, and what the terminal shows meanwhile. */
export type TerminalInput = { readonly echo: string; readonly lines: readonly string[]; readonly isAtEnd: boolean };

/** A terminal in line mode: it shows what is typed, and takes characters back. */
export class Terminal {
  #line = '';

  type(keys: string): TerminalInput {
    const lines: string[] = [];
    let echo = '';
    for (const key of keys) {
      if (key === '\r' || key === '\n') {
        lines.push(this.#line);
        this.#line = '';
        echo += '\r\n';
      } else if (key === '\u0004' && this.#line === '') return { echo, lines, isAtEnd: true };
      else if (key === '\u0003') {
        this.#line = '';
        lines.push('');
        echo += '^C\r\n';
      } else if (key === '\u007F' || key === '\b') {
        if (this.#line !== '') echo += '\b \b';
        this.#line = this.#line.slice(0, -1);
      } else if (key >= ' ') {
        this.#line += key;
        echo += key;
      }
    }
    return { echo, lines, isAtEnd: false };
  }
}

/** Output as a terminal needs it. */
export const onTerminal = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n');
