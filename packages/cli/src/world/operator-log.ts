import type { Instant } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import type { PodLogOptions } from '@nodewright/kube-api';

type ReadOptions = Omit<PodLogOptions, 'container' | 'previous'>;

type LogLine = { readonly at: Instant; readonly text: string };

/** Some days of a busy operator; what is older is forgotten, as a node's log rotation does. */
const mostKeptLines = 20_000;

/** The operator's log, kept to be read as the log of a pod. */
export class OperatorLog {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #followers = new Set<(line: LogLine) => void>();
  #lines: LogLine[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Takes whole lines, each with its newline. */
  write(text: string): void {
    const line = { at: this.#clock.now(), text };
    this.#lines.push(line);
    if (this.#lines.length > 2 * mostKeptLines) this.#lines = this.#lines.slice(-mostKeptLines);
    for (const tell of this.#followers) tell(line);
  }

  /** What `kubectl logs` asks for: the lines that are there, and with `follow` those to come. */
  async *read(options: ReadOptions): AsyncGenerator<Uint8Array> {
    const coming = options.follow ? this.#follow(options.signal) : undefined;
    for (const line of this.#selected(options)) yield encoded(line, options);
    if (coming === undefined) return;
    for await (const line of coming) yield encoded(line, options);
  }

  #selected({ since, tailLines }: ReadOptions): readonly LogLine[] {
    const recent = since === undefined ? this.#lines : this.#lines.filter(({ at }) => at >= since);
    return tailLines === undefined ? [...recent] : recent.slice(Math.max(0, recent.length - tailLines));
  }

  /** Hears of lines from now on, not only from the first read on. */
  #follow(signal: AbortSignal): AsyncIterable<LogLine> {
    const unread: LogLine[] = [];
    let wake = (): void => undefined;
    const hear = (line: LogLine): void => {
      unread.push(line);
      wake();
    };
    this.#followers.add(hear);
    signal.addEventListener('abort', () => {
      this.#followers.delete(hear);
      wake();
    });
    return readWhileOpen(unread, signal, (resume) => (wake = resume));
  }
}

async function* readWhileOpen(
  unread: LogLine[],
  signal: AbortSignal,
  onNews: (resume: () => void) => void,
): AsyncGenerator<LogLine> {
  while (!signal.aborted) {
    const line = unread.shift();
    if (line !== undefined) yield line;
    else await new Promise<void>((resolve) => onNews(resolve));
  }
}

const encoded = ({ at, text }: LogLine, { timestamps }: ReadOptions): Uint8Array =>
  Buffer.from(timestamps ? `${new Date(at).toISOString()} ${text}` : text);
