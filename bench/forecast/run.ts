import { join } from 'node:path';
import { runBundled } from '../../scripts/bundled.ts';
import { readForecastFlags } from './flags.ts';

/** Measures in a process of its own, which runs the code as it is built for the command. */
export async function benchForecast(argv: readonly string[]): Promise<void> {
  readForecastFlags(argv); // refuses and explains flags before anything is built
  process.exitCode = await runBundled(join(import.meta.dirname, 'measure-clusters.ts'), argv, ['--expose-gc']);
}
