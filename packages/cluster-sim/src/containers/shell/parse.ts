import {
  type Pipeline,
  type Redirection,
  type Script,
  type ScriptCommand,
  type ScriptStep,
  type ScriptWord,
  ShellSyntaxError,
  type SimpleCommand,
} from './syntax.ts';
import { scriptTokens, type ShellToken } from './tokens.ts';

/** Reads the part of the language of `sh` that entry points and probes use. Throws `ShellSyntaxError` for the rest. */
export function parseScript(text: string): Script {
  const parser = new Parser(scriptTokens(text));
  const script = parser.script([]);
  parser.end();
  return script;
}

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=/;

class Parser {
  readonly #tokens: readonly ShellToken[];
  #at = 0;

  constructor(tokens: readonly ShellToken[]) {
    this.#tokens = tokens;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new ShellSyntaxError(`syntax error: unexpected "${this.#shown()}"`);
  }

  /** @param ends the keywords that end it */
  script(ends: readonly string[]): Script {
    const steps: ScriptStep[] = [];
    let after: ScriptStep['after'] = 'any';
    this.#skipBreaks();
    while (this.#at < this.#tokens.length && !this.#isOneOf(ends) && this.#operator() !== ')') {
      steps.push({ after, pipeline: this.#pipeline() });
      const operator = this.#operator();
      after = operator === '&&' ? 'success' : operator === '||' ? 'failure' : 'any';
      if (operator === undefined || operator === ')') break;
      this.#at += 1;
      this.#skipBreaks();
    }
    return steps;
  }

  #pipeline(): Pipeline {
    const isNegated = this.#take('!');
    const commands = [this.#command()];
    while (this.#operator() === '|') {
      this.#at += 1;
      this.#skipBreaks();
      commands.push(this.#command());
    }
    return { isNegated, commands };
  }

  #command(): ScriptCommand {
    if (this.#take('while')) return this.#loop(false);
    if (this.#take('until')) return this.#loop(true);
    if (this.#take('for')) return this.#each();
    if (this.#take('if')) return this.#choice();
    if (this.#take('{')) return this.#group('}');
    if (this.#operator() === '(') {
      this.#at += 1;
      const body = this.script([]);
      if (this.#operator() !== ')') throw new ShellSyntaxError('syntax error: expecting ")"');
      this.#at += 1;
      return { kind: 'group', body };
    }
    return this.#simple();
  }

  #loop(until: boolean): ScriptCommand {
    const condition = this.script(['do']);
    this.#expect('do');
    const body = this.script(['done']);
    this.#expect('done');
    return { kind: 'loop', until, condition, body };
  }

  #each(): ScriptCommand {
    const name = this.#plain() ?? '';
    this.#at += 1;
    this.#expect('in');
    const words: ScriptWord[] = [];
    for (let token = this.#token(); token?.kind === 'word'; token = this.#token()) {
      words.push(token.word);
      this.#at += 1;
    }
    this.#skipBreaks();
    this.#expect('do');
    const body = this.script(['done']);
    this.#expect('done');
    return { kind: 'each', name, words, body };
  }

  #choice(): ScriptCommand {
    const condition = this.script(['then']);
    this.#expect('then');
    const chosen = this.script(['elif', 'else', 'fi']);
    if (this.#take('elif')) {
      const nested: ScriptStep = { after: 'any', pipeline: { isNegated: false, commands: [this.#choice()] } };
      return { kind: 'choice', condition, chosen, otherwise: [nested] };
    }
    const otherwise = this.#take('else') ? this.script(['fi']) : [];
    this.#expect('fi');
    return { kind: 'choice', condition, chosen, otherwise };
  }

  #group(end: string): ScriptCommand {
    const body = this.script([end]);
    this.#expect(end);
    return { kind: 'group', body };
  }

  #simple(): SimpleCommand {
    const assignments: SimpleCommand['assignments'][number][] = [];
    const words: ScriptWord[] = [];
    const redirections: Redirection[] = [];
    for (let token = this.#token(); token !== undefined && token.kind !== 'operator'; token = this.#token()) {
      if (token.kind === 'redirection') {
        if (token.redirection !== undefined) redirections.push(token.redirection);
      } else {
        const assigned = words.length === 0 ? assignmentOf(token.word) : undefined;
        if (assigned === undefined) words.push(token.word);
        else assignments.push(assigned);
      }
      this.#at += 1;
    }
    if (words.length + assignments.length + redirections.length === 0) {
      throw new ShellSyntaxError(`syntax error: unexpected "${this.#shown()}"`);
    }
    return { kind: 'simple', assignments, words, redirections };
  }

  #token(): ShellToken | undefined {
    return this.#tokens[this.#at];
  }

  #operator(): string | undefined {
    const token = this.#token();
    return token?.kind === 'operator' ? token.text : undefined;
  }

  #plain(): string | undefined {
    const token = this.#token();
    return token?.kind === 'word' ? token.plain : undefined;
  }

  #isOneOf(words: readonly string[]): boolean {
    const plain = this.#plain();
    return plain !== undefined && words.includes(plain);
  }

  #take(keyword: string): boolean {
    if (this.#plain() !== keyword) return false;
    this.#at += 1;
    return true;
  }

  #expect(keyword: string): void {
    this.#skipBreaks();
    if (!this.#take(keyword)) throw new ShellSyntaxError(`syntax error: expecting "${keyword}"`);
  }

  #skipBreaks(): void {
    while (this.#operator() === '\n' || this.#operator() === ';') this.#at += 1;
  }

  #shown(): string {
    const token = this.#token();
    if (token === undefined) return 'end of file';
    return token.kind === 'operator' ? token.text.replace('\n', 'newline') : (this.#plain() ?? 'word');
  }
}

function assignmentOf(word: ScriptWord): SimpleCommand['assignments'][number] | undefined {
  const [first, ...rest] = word;
  const match = first?.kind === 'text' ? assignment.exec(first.text) : null;
  if (match === null || first?.kind !== 'text') return undefined;
  const value = first.text.slice(match[0].length);
  return { name: match[1] ?? '', value: [{ kind: 'text', text: value }, ...rest] };
}
