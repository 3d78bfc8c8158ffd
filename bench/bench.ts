/** `npm run bench -- scheduling [--case C] [--pods N] [--problem FILE] [--json FILE]`: what is measured, by name. */
import { benchScheduling } from './scheduling/run.ts';

const [subject, ...rest] = process.argv.slice(2);
const subjects: Readonly<Record<string, (argv: readonly string[]) => Promise<void>>> = { scheduling: benchScheduling };
const bench = subjects[subject ?? ''];
if (bench === undefined) {
  console.error(`what to measure? one of: ${Object.keys(subjects).join(', ')}`);
  process.exitCode = 2;
} else await bench(rest);
