import { type ScenarioResult, titleOfResult } from '@nodewright/scenario-files';

/** Tells on stderr how far the plays are: on a terminal in one line that changes, else a line for each failure. */
export function showProgress(total: number): { tell(result: ScenarioResult): void; end(): void } {
  const { stderr } = process;
  let done = 0;
  let failed = 0;
  const clear = stderr.isTTY ? '\r\u001b[K' : '';
  return {
    tell(result) {
      done += 1;
      if (result.failure !== undefined) failed += 1;
      if (stderr.isTTY) stderr.write(`${clear}${done} of ${total} played, ${failed} failed: ${titleOfResult(result)}`);
      else if (result.failure !== undefined) stderr.write(`failed: ${titleOfResult(result)}, seed ${result.seed}\n`);
    },
    end: () => void stderr.write(clear),
  };
}
