import { RE2JS } from 're2js';

const longestRemembered = 100;
const mostVerdicts = 2000;

/** Regular expressions in linear time. Each pattern is compiled once, because rules run for every written object. */
export class RegularExpressions {
  readonly #compiled = new Map<string, RE2JS>();
  /** Recent results. Objects of a kind have mostly the same texts. */
  readonly #verdicts = new Map<string, boolean>();

  /** Whether the pattern occurs anywhere in the text; linear in its length. */
  matches(text: string, pattern: string): boolean {
    if (text.length > longestRemembered) return this.#find(text, pattern);
    const question = `${pattern.length}:${pattern}${text}`;
    const known = this.#verdicts.get(question);
    if (known !== undefined) return known;
    const verdict = this.#find(text, pattern);
    if (this.#verdicts.size >= mostVerdicts) this.#verdicts.clear();
    this.#verdicts.set(question, verdict);
    return verdict;
  }

  #find(text: string, pattern: string): boolean {
    return this.#compile(pattern).matcher(text).find();
  }

  /** The first occurrence, or the empty text. */
  find(text: string, pattern: string): string {
    const matcher = this.#compile(pattern).matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : '';
  }

  findAll(text: string, pattern: string, limit: number): string[] {
    const matcher = this.#compile(pattern).matcher(text);
    const found: string[] = [];
    while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '');
    return found;
  }

  #compile(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = RE2JS.compile(pattern);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}
