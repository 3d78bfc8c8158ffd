import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { readChanges } from './diff.ts';

let directory: string;
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'changes-'))));
afterAll(() => rmSync(directory, { recursive: true }));

const pool = (spec: string): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements: []
${spec}`;

async function read(text: string) {
  const file = join(directory, 'pool.yaml');
  writeFileSync(file, text);
  let err = '';
  const process = { stdout: { write: () => undefined }, stderr: { write: (more: string) => (err += more) } };
  return { objects: await readChanges({ process }, [file]), err };
}

test('a change has the defaults of an API server', async () => {
  const { objects, err } = await read(pool(''));
  expect(objects).toMatchObject([
    { kind: 'NodePool', spec: { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] } } },
  ]);
  expect(err).toBe('');
});

test('an unknown field is told and left out', async () => {
  const { objects, err } = await read(pool('  wieght: 10\n'));
  expect(err).toMatch(/wieght/);
  expect(JSON.stringify(objects)).not.toContain('wieght');
});

test('everything that an API server would refuse is told at once', async () => {
  const refused = read(`${pool('  weight: 1000\n')}---\n${pool('  weight: heavy\n')}`);
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(/weight[^\n]*100[^]*\n[^]*weight/);
});

test('a change has to be named', async () => {
  const nothing = readChanges({} as CliContext, undefined);
  await expect(nothing).rejects.toThrow('no change is given: name manifests with -f FILE');
});
