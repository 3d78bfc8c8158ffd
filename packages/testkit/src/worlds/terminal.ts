/** What a command line answered. */
type TerminalAnswer = { readonly status: number; readonly out: string; readonly err: string };

/** The part of a process that a command writes to. */
type TerminalHost = {
  exitCode?: number | string | null;
} & Readonly<Record<'stdout' | 'stderr', { write(text: string): void }>>;

type CommandRunner = (args: readonly string[], host: TerminalHost) => Promise<void>;

/** Types command lines within this process and reads what comes back. */
export const aTerminal =
  (run: CommandRunner) =>
  async (...args: readonly string[]): Promise<TerminalAnswer> => {
    const texts = { out: '', err: '' };
    const host: TerminalHost = {
      stdout: { write: (text) => void (texts.out += text) },
      stderr: { write: (text) => void (texts.err += text) },
    };
    await run(args, host);
    return { status: Number(host.exitCode ?? 0), out: texts.out.trimEnd(), err: texts.err.trimEnd() };
  };
