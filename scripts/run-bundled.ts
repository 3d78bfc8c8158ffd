/**
 * Builds a script and runs it: `tsx scripts/run-bundled.ts SCRIPT [ARGUMENTS]`. What `tsx` compiles keeps the names of all
 * functions, at each creation of one. A script that computes for minutes takes less time as a bundle.
 */
import { resolve } from 'node:path';
import { runBundled } from './bundled.ts';

const [script = '', ...args] = process.argv.slice(2);
process.exitCode = await runBundled(resolve(script), args);
