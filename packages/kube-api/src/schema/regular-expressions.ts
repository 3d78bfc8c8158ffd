import { RE2JS } from 're2js';

const longestRemembered = 100;
const mostVerdicts = 2000;
const mostPatterns = 2000;
/** The limit of instructions of a compiled pattern. Matching costs up to one step per instruction and character. */
const mostInstructions = 10_000;

/** A pattern that does not compile, or that compiles to too many instructions. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

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
    const compiled = compilePattern(pattern);
    if (this.#compiled.size >= mostPatterns) this.#compiled.clear();
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

/** @throws PatternError */
export function compilePattern(pattern: string): RE2JS {
  const compiled = parsePattern(pattern);
  if (compiled.programSize() > mostInstructions) throw new PatternError('error parsing regexp: expression too large');
  return compiled;
}

function parsePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
