import { anApiServer, type WorstCase, worstCases } from '@nodewright/testkit/worlds';
import { readFlagsAndWords } from '../../scripts/flags/read-flags.ts';

const columns = [
  { share: 1 / 4, title: 'a quarter' },
  { share: 1 / 2, title: 'a half' },
  { share: 1, title: '3 MiB' },
] as const;

/**
 * How long the API server takes for the request of each kind that costs it the most, at a quarter, at half and at all of
 * what a request may have. Twice the size may take twice as long, not four times.
 */
export async function benchWorstCases(argv: readonly string[]): Promise<void> {
  const usage = {
    command: 'npm run bench -- worst-cases',
    words: '[NAME]',
    brief: 'Measures the API server at its worst.',
  };
  const [only = ''] = readFlagsAndWords(usage, {}, argv).words;
  console.log(`| request | ${columns.map(({ title }) => title).join(' | ')} | answer |`);
  console.log(`| --- | ${columns.map(() => '---:').join(' | ')} | ---: |`);
  for (const worst of worstCases.filter(({ name }) => name.includes(only))) {
    const rows = [];
    for (const { share } of columns) rows.push(await measure(worst, Math.floor(worst.largest * share)));
    const times = rows.map(({ ms }) => `${ms.toFixed(0)} ms`);
    console.log(`| ${worst.name} | ${times.join(' | ')} | ${rows.at(-1)?.status} |`);
  }
}

async function measure({ run }: WorstCase, size: number): Promise<{ readonly ms: number; readonly status: number }> {
  const api = anApiServer();
  await run(anApiServer(), 1);
  const start = process.cpuUsage();
  const status = await run(api, size);
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1000, status };
}
