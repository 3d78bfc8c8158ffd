import { writeFileSync } from 'node:fs';
import { ec2NodeClasses, hours, instant, minutes } from '@nodewright/apis';
import { callsWorld, type CallCounts } from '../../scenarios/support/calls-world.ts';
import { readFlags, readSizesFlag } from '../../scripts/flags/read-flags.ts';

type CallsWorld = Awaited<ReturnType<typeof callsWorld>>;
type Measured = { readonly idle: CallCounts; readonly rolling: CallCounts };

const rolledNodes = 100;

/**
 * Calls to AWS in an hour, by cluster size, on virtual time: at rest (a sixth of six hours), and in the hour in which up to 100 nodes
 * are replaced because their image has drifted. Prints the table of docs/aws-calls.md.
 */
export async function benchCalls(argv: readonly string[]): Promise<void> {
  const values = readFlags(
    { command: 'npm run bench -- calls', brief: 'Counts calls to AWS in an hour, by cluster size.' },
    {
      sizes: { value: 'N,N', default: '10,100,1000', brief: 'sizes of clusters' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
  const results = new Map<number, Measured>();
  for (const size of readSizesFlag('--sizes', values.sizes)) results.set(size, await measureCalls(size));
  console.log(printTable(results));
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(results), null, 2)}\n`);
}

async function measureCalls(size: number): Promise<Measured> {
  const world = await callsWorld({ throttle: 'real' });
  await world.fill(size);
  await untilSo(world, async () => (await world.nodes()).length >= size);
  await world.pass(minutes(40));
  world.counts();
  // What comes once in half a day is not seen in an hour of a large cluster.
  const idleHours = size > 100 ? 1 : 6;
  await world.pass(hours(idleHours));
  const idle = divide(world.counts(), idleHours);
  const rolling = await roll(world, size);
  await world.end();
  return { idle, rolling };
}

/** Another tag on the NodeClass makes its nodes drift; the budget lets a tenth of a thousand go, which takes about an hour. */
async function roll(world: CallsWorld, size: number): Promise<CallCounts> {
  await world.setBudget(size <= rolledNodes ? '10%' : String(rolledNodes));
  world.counts();
  const patch = { type: 'merge', patch: { spec: { tags: { rolled: 'yes' } } } } as const;
  await world.time.finish(world.admin.patch(ec2NodeClasses, { name: 'default' }, patch));
  const most = Math.min(size, rolledNodes);
  const before = new Set((await world.claims()).map(({ metadata }) => metadata.name));
  const { clock } = world.time;
  const end = instant(clock.now() + hours(1));
  let stopped = false;
  while (clock.now() < end) {
    await world.pass(minutes(1));
    const replaced = (await world.claims()).filter(({ metadata }) => !before.has(metadata.name)).length;
    if (!stopped && size > rolledNodes && replaced >= most) {
      await world.setBudget('0');
      stopped = true;
    }
  }
  return world.counts();
}

async function untilSo(world: CallsWorld, isSo: () => Promise<boolean>): Promise<void> {
  for (let passed = 0; passed < 120; passed += 1) {
    if (await isSo()) return;
    await world.pass(minutes(1));
  }
  throw new Error('the nodes do not come');
}

const divide = (counts: CallCounts, by: number): CallCounts =>
  Object.fromEntries(Object.entries(counts).map(([operation, count]) => [operation, count / by]));

function printTable(results: ReadonlyMap<number, Measured>): string {
  const columns = [...results].flatMap(([size, { idle, rolling }]) => [
    { head: `${size} idle`, counts: idle },
    { head: `${size} rolling`, counts: rolling },
  ]);
  const operations = [...new Set(columns.flatMap(({ counts }) => Object.keys(counts)))].toSorted();
  const polls = operations.filter((operation) => operation === 'ReceiveMessage');
  const others = operations.filter((operation) => operation !== 'ReceiveMessage');
  const row = (name: string, of: readonly string[]): readonly string[] => [
    name,
    ...columns.map(({ counts }) => printCount(of.reduce((sum, operation) => sum + (counts[operation] ?? 0), 0))),
  ];
  const rows = [
    ['Operation', ...columns.map(({ head }) => head)],
    ['---', ...columns.map(() => '---:')],
    ...others.map((operation) => row(`\`${operation}\``, [operation])),
    row('all of these', others),
    row('`ReceiveMessage` (long polls)', polls),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const printCount = (count: number): string => (count === 0 ? '' : count < 10 ? count.toFixed(1) : count.toFixed(0));
