import { type DiskFault, FaultyFileSystem } from '@nodewright/testkit';
import { instant, byTextOf } from '@nodewright/apis';
import { LineLedger, seededRandom, StorageError, type StorageProblem } from '@nodewright/runtime';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FsyncPolicy, StateFile } from './state-file.ts';
import { readStateFile } from './state-lines.ts';

const path = '/data/state.jsonl';

type Contents = Readonly<Record<string, number>>;

const contentsOf = (entries: Iterable<readonly [string, unknown]> | undefined): Contents =>
  Object.fromEntries([...(entries ?? [])].toSorted(byTextOf(([name]) => name))) as Contents;

const keptOn = (disk: FaultyFileSystem) => readStateFile(disk, path);
const contentsOn = (disk: FaultyFileSystem): Contents => contentsOf(keptOn(disk).state.maps.get('m'));

function aLedgerOn(disk: FaultyFileSystem, fsync: FsyncPolicy = 'always') {
  const told: (StorageProblem | undefined)[] = [];
  const file = new StateFile({
    path,
    fsync,
    fileSystem: disk,
    reserveBytes: 512,
    all: () => ledger.lines(),
    onProblem: (problem) => told.push(problem),
  });
  const ledger: LineLedger = new LineLedger({ kept: keptOn(disk).state, now: () => instant(0), journal: file });
  file.start();
  const map = ledger.map<number>('m');
  return {
    file,
    ledger,
    map,
    told,
    set: (key: string, value: number) => ledger.commit(() => void map.set(key, value)),
    contents: () => contentsOf(map),
  };
}

const failing =
  (fault: DiskFault, ...operations: readonly string[]) =>
  (operation: string): DiskFault | undefined =>
    operations.includes(operation) ? fault : undefined;

const healthy = (): undefined => undefined;

describe('a full disk', () => {
  /** Fills the disk by changes until one is refused. */
  function filled() {
    const disk = new FaultyFileSystem();
    const state = aLedgerOn(disk);
    disk.capacity = 4096;
    let count = 0;
    const fill = (): void => {
      for (; count < 1000; count += 1) state.set(`key-${count}`, count);
    };
    expect(fill).toThrow('the sandbox is read-only: the disk is full (ENOSPC) at /data/state.jsonl');
    return { disk, ...state, count };
  }

  test('keeps what was acknowledged, and nothing else', () => {
    const { disk, count, contents } = filled();
    expect(Object.keys(contents())).toHaveLength(count);
    expect(contentsOn(disk.afterKill())).toEqual(contents());
    expect(keptOn(disk.afterKill()).kind).toBe('whole');
  });

  test('refuses at once until there is space, and goes on by itself then', async () => {
    const { disk, file, set, told, contents } = filled();
    expect(() => set('another', 1)).toThrow(StorageError);
    await file.tick();
    expect(file.problem()).toMatchObject({ kind: 'full', isReadable: true });
    disk.capacity = 1 << 20;
    await file.tick();
    set('another', 1);
    expect(contentsOn(disk.afterKill())).toEqual(contents());
    expect(told.map((problem) => problem?.kind)).toEqual(['full', undefined]);
  });

  test('has space set aside for what happens by itself', () => {
    const { disk, file, map, contents } = filled();
    map.set('instance', 1);
    expect(file.problem()).toMatchObject({ isReadable: true });
    expect(contentsOn(disk.afterKill())).toEqual(contents());
  });

  test('shows nothing any more when that space is used up, too, and keeps all of memory later', async () => {
    const { disk, file, map, contents } = filled();
    for (let count = 0; count < 100; count += 1) map.set(`instance-${count}`, count);
    expect(file.problem()).toMatchObject({ isReadable: false, message: expect.stringContaining('does not answer') });
    disk.capacity = 1 << 20;
    await file.tick();
    expect(file.problem()).toBeUndefined();
    expect(contentsOn(disk.afterKill())).toEqual(contents());
  });

  test('is told of at a start, which changes nothing', () => {
    const { disk, contents } = filled();
    expect(() => aLedgerOn(disk)).toThrow('ENOSPC');
    expect(contentsOn(disk)).toEqual(contents());
    expect(disk.exists(`${path}.new`)).toBe(false);
  });
});

describe('a disk that fails', () => {
  for (const { what, fault } of [
    { what: 'an error in the middle of a write', fault: failing('EIO', 'write') },
    { what: 'an error of a sync', fault: failing('EIO', 'sync') },
  ])
    test(`${what}: the change is refused and is not there after kill -9; later changes are kept`, async () => {
      const disk = new FaultyFileSystem();
      const { file, set, contents } = aLedgerOn(disk);
      set('a', 1);
      disk.fault = fault;
      expect(() => set('a', 2)).toThrow('the disk does not take what is written (EIO: injected');
      expect([contents(), contentsOn(disk.afterKill())]).toEqual([{ a: 1 }, { a: 1 }]);
      await file.tick();
      expect(file.problem()).toMatchObject({ kind: 'failed' });
      disk.fault = healthy;
      await file.tick();
      set('a', 3);
      expect(contentsOn(disk.afterPowerLoss(seededRandom(1)))).toEqual({ a: 3 });
    });

  test('of half a record that was written nothing is left', () => {
    const disk = new FaultyFileSystem();
    const { set } = aLedgerOn(disk);
    // The first write sets space aside.
    const faults = [undefined, 'short', 'EIO'] as const;
    let writes = -1;
    disk.fault = () => faults[(writes += 1)];
    expect(() => set('a', 1)).toThrow(StorageError);
    expect(keptOn(disk.afterKill())).toMatchObject({ kind: 'whole', records: 1 });
  });

  test('after a sync that failed the file is not trusted: it is written anew', async () => {
    const disk = new FaultyFileSystem();
    const { file, set } = aLedgerOn(disk);
    disk.fault = failing('ENOSPC', 'sync');
    expect(() => set('a', 1)).toThrow(StorageError);
    const seen: string[] = [];
    disk.fault = (operation) => void seen.push(operation);
    await file.tick();
    expect(seen).toContain('rename');
  });

  test('short writes are gone on with', () => {
    const disk = new FaultyFileSystem();
    const { set } = aLedgerOn(disk);
    disk.fault = failing('short', 'write');
    set('a', 1);
    expect(contentsOn(disk.afterKill())).toEqual({ a: 1 });
  });

  test('a sync every second that fails is found, and everything is written anew', async () => {
    const disk = new FaultyFileSystem();
    const { file, set } = aLedgerOn(disk, 'interval');
    set('a', 1);
    disk.fault = failing('EIO', 'sync');
    await file.tick();
    expect(file.problem()).toMatchObject({ kind: 'failed', isReadable: true });
    disk.fault = healthy;
    await file.tick();
    expect(contentsOn(disk.afterPowerLoss(seededRandom(1)))).toEqual({ a: 1 });
  });

  for (const operation of ['rename', 'syncFolder'] as const)
    test(`when ${operation} fails at a start, the state is there`, () => {
      const disk = new FaultyFileSystem();
      const { set, file } = aLedgerOn(disk);
      set('a', 1);
      file.close();
      disk.fault = failing('EIO', operation);
      expect(() => aLedgerOn(disk)).toThrow('EIO');
      expect(contentsOn(disk.afterPowerLoss(seededRandom(1)))).toEqual({ a: 1 });
    });
});

test('what was synced every second survives a power loss', async () => {
  const disk = new FaultyFileSystem();
  const { file, set } = aLedgerOn(disk, 'interval');
  set('a', 1);
  await file.tick();
  set('b', 2);
  expect([{ a: 1 }, { a: 1, b: 2 }]).toContainEqual(contentsOn(disk.afterPowerLoss(seededRandom(2))));
});

test('a closed file has no space set aside', () => {
  const disk = new FaultyFileSystem();
  const { file, set } = aLedgerOn(disk, 'never');
  set('a', 1);
  expect(file.close()).toBeUndefined();
  const handle = disk.open(path, 'read');
  const bytes = Buffer.alloc(4096);
  expect(bytes.subarray(0, disk.read(handle, bytes, 0)).at(-1)).toBe('\n'.charCodeAt(0));
});

test('the format before checksums is taken over', () => {
  const disk = new FaultyFileSystem();
  const old = Buffer.from('[1000,"m","a",1]\n[2000,"m","b",2]\n[3000,"m","a"]\n[4000,"m","c');
  disk.write(disk.open(path, 'new'), old, 0);
  const { set } = aLedgerOn(disk);
  set('d', 4);
  expect(keptOn(disk)).toMatchObject({ kind: 'whole' });
  expect(contentsOn(disk)).toEqual({ b: 2, d: 4 });
});

/** One thing that is done to the state; `tick` is what happens every second. */
type Step =
  | { readonly kind: 'commit'; readonly entries: readonly { readonly key: string; readonly value: number }[] }
  | { readonly kind: 'alone'; readonly key: string; readonly value: number }
  | { readonly kind: 'tick' };

const entry = { key: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.integer({ min: 0, max: 99 }) };
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('commit' as const), entries: fc.array(fc.record(entry), { minLength: 1, maxLength: 3 }) }) }, // prettier-ignore
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('alone' as const), ...entry }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tick' as const) }) },
);

const aLife = fc.record({
  steps: fc.array(aStep, { maxLength: 40 }),
  faults: fc.dictionary(
    fc.integer({ min: 0, max: 120 }).map(String),
    fc.constantFrom<DiskFault>('short', 'EIO', 'ENOSPC'),
    { maxKeys: 8 },
  ),
  powerOffAt: fc.option(fc.integer({ min: 0, max: 150 })),
  seed: fc.nat(),
});

type Life = typeof aLife extends fc.Arbitrary<infer T> ? T : never;

/**
 * What a life leaves behind: the disk, what was acknowledged at each moment, and what may be kept besides. A refused change
 * may be kept when the disk took neither the record nor its removal, and after a power loss when a sync had failed.
 */
async function live({ steps, faults, powerOffAt, end }: Life & { readonly end: 'kill' | 'power' }, fsync: FsyncPolicy) {
  const disk = new FaultyFileSystem();
  const state = aLedgerOn(disk, fsync);
  let operations = 0;
  let isInDoubt = false;
  disk.fault = (operation) => {
    operations += 1;
    if (powerOffAt !== null && operations > powerOffAt) return 'power';
    const fault = faults[String(operations)];
    if (fault !== undefined && fault !== 'short') isInDoubt ||= operation === (end === 'kill' ? 'truncate' : 'sync');
    return fault;
  };
  const acknowledged: Contents[] = [state.contents()];
  const open: Contents[] = [];
  for (const step of steps) {
    if (disk.isOff) break;
    const before = state.contents();
    if (step.kind === 'tick') await state.file.tick();
    else if (step.kind === 'alone') state.map.set(step.key, step.value);
    else if (!commits(state, step.entries)) {
      expect(state.contents()).toEqual(before);
      if (disk.isOff || isInDoubt) open.push({ ...before, ...asContents(step.entries) });
    }
    acknowledged.push(state.contents());
  }
  return { disk, acknowledged, open, isReadable: state.file.problem()?.isReadable !== false };
}

const asContents = (entries: readonly { readonly key: string; readonly value: number }[]): Contents =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

/** Whether the commit was acknowledged. */
function commits(
  { ledger, map }: ReturnType<typeof aLedgerOn>,
  entries: readonly { readonly key: string; readonly value: number }[],
): boolean {
  try {
    ledger.commit(() => {
      for (const { key, value } of entries) map.set(key, value);
    });
    return true;
  } catch (failure) {
    if (!(failure instanceof StorageError)) throw failure;
    return false;
  }
}

/** Keys have an order in a map, which is not the point here. */
const sorted = (all: readonly Contents[]): readonly Contents[] => all.map((each) => contentsOf(Object.entries(each)));

describe('after any life on a disk with faults', () => {
  const runs = { numRuns: 400 };

  test('everything that was acknowledged is there after kill -9, and nothing that was refused', async () => {
    const property = fc.asyncProperty(aLife, fc.constantFrom('always', 'interval', 'never'), async (life, fsync) => {
      const { disk, acknowledged, open, isReadable } = await live({ ...life, powerOffAt: null, end: 'kill' }, fsync);
      if (isReadable) expect(sorted([...acknowledged.slice(-1), ...open])).toContainEqual(contentsOn(disk.afterKill()));
    });
    await fc.assert(property, runs);
  });

  test('with fsync always it is there after a power loss, too; only the last change may be kept unasked', async () => {
    const property = fc.asyncProperty(aLife, async (life) => {
      const { disk, acknowledged, open, isReadable } = await live({ ...life, end: 'power' }, 'always');
      if (!isReadable) return;
      const left = disk.afterPowerLoss(seededRandom(life.seed));
      expect(sorted([...acknowledged.slice(-1), ...open])).toContainEqual(contentsOn(left));
    });
    await fc.assert(property, runs);
  });

  test('with another fsync a power loss leaves the state as it was at some moment', async () => {
    const property = fc.asyncProperty(aLife, fc.constantFrom('interval', 'never'), async (life, fsync) => {
      const { disk, acknowledged, open } = await live({ ...life, faults: {}, end: 'power' }, fsync);
      const left = disk.afterPowerLoss(seededRandom(life.seed));
      expect(keptOn(left).kind).not.toBe('damaged');
      expect(sorted([...acknowledged, ...open])).toContainEqual(contentsOn(left));
    });
    await fc.assert(property, runs);
  });
});
