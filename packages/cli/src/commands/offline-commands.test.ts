import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApplication } from '../app.ts';
import { takeCatalogueFile } from './catalogue/take-catalogue-file.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));
const sh = (text: string) => type(...text.split(' '));

const outputs = join(import.meta.dirname, '../../../aws-endpoints/src/catalogue/renewal/testdata');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'offline-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('catalogue import', () => {
  const files = `--types ${outputs}/instance-types.json --offerings ${outputs}/offerings.json --prices ${outputs}/products.json`;

  test('writes a module to standard output, and tells what is new beside it', async () => {
    const { status, out, err } = await sh(`catalogue import ${files}`);
    expect(status).toBe(0);
    expect(out).toContain('currentTypesTable');
    expect(out).toContain('m99g');
    expect(err.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^\d+ types: 2 are new, 1 have changed, \d+ are not in the files and stay$/),
      'new: m99g.large, p99.48xlarge',
    ]);
  });

  test('writes the same to a file, and takes it', async () => {
    const file = join(folder, 'types.ts');
    const { status, out } = await sh(`catalogue import ${files} --write ${file}`);
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(readFileSync(file, 'utf8').trimEnd()).toBe((await sh(`catalogue import ${files}`)).out);
    expect(takeCatalogueFile(file)).toBeUndefined();
  });

  test('does not write where it may not', async () => {
    expect(await sh(`catalogue import ${files} --write /nowhere/types.ts`)).toMatchObject({
      status: 2,
      err: 'error: --write /nowhere/types.ts: there is no such file or folder',
    });
  });

  test.each([
    ['/nowhere/types.ts', 'NODEWRIGHT_CATALOGUE: /nowhere/types.ts: there is no such file or folder'],
    [import.meta.filename, 'NODEWRIGHT_CATALOGUE:'],
  ])('a file that is no catalogue is not taken: %s', (file, words) => {
    expect(takeCatalogueFile(file)).toContain(words);
  });
});

describe('schema', () => {
  test.each(['scenario', 'Scenario', 'NodePool', 'nodepool', 'EC2NodeClass', 'NodeRolloutPolicy', 'CapacityBuffer'])(
    '%s is a schema that a validator takes',
    async (kind) => {
      const { status, out } = await sh(`schema ${kind}`);
      expect(status).toBe(0);
      const { $schema: _, ...schema } = JSON.parse(out) as Readonly<Record<string, unknown>>;
      expect(() => new Ajv({ strict: false, validateFormats: false }).compile(schema)).not.toThrow();
    },
  );

  test('a NodePool of the examples is valid, and one with a slip is not', async () => {
    const { $schema: _, ...schema } = JSON.parse((await sh('schema nodepool')).out) as Readonly<
      Record<string, unknown>
    >;
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    const pool = (weight: unknown) => ({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: { weight, template: { spec: { nodeClassRef, requirements: [] } } },
    });
    expect([pool(1), pool('heavy'), pool(1_000)].map((each) => isValid(each))).toEqual([true, false, false]);
  });
});

describe('iam-policy', () => {
  const policyOf = async (flags: string) => {
    const { out } = await sh(`iam-policy --cluster-name demo --account-id 111122223333 ${flags}`);
    return out;
  };

  test.each<readonly [flags: string, words: string, isThere: boolean]>([
    ['--region us-east-1', 'arn:aws:iam::111122223333:role/KarpenterNodeRole-demo', true],
    ['--region us-east-1', 'arn:aws:sqs:us-east-1:111122223333:demo', true],
    ['--region cn-north-1', 'arn:aws-cn:sqs:cn-north-1:111122223333:demo', true],
    ['--region cn-north-1', 'arn:aws:', false],
    ['--region us-gov-west-1', 'arn:aws-us-gov:', true],
    ['--region us-east-1 --node-role path/mine', 'arn:aws:iam::111122223333:role/path/mine', true],
    ['--region us-east-1 --node-role path/mine', 'KarpenterNodeRole-demo', false],
    ['--region us-east-1 --queue other', 'arn:aws:sqs:us-east-1:111122223333:other', true],
    ['--region us-east-1', 'eks:UpdateNodegroupVersion', false],
    ['--region us-east-1 --node-groups', 'eks:UpdateNodegroupVersion', true],
  ])('%s has %s: %j', async (flags, words, isThere) => {
    expect((await policyOf(flags)).includes(words)).toBe(isThere);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('of %s is a script that asks the command', async (shell) => {
    const { status, out } = await sh(`completion ${shell}`);
    expect(status).toBe(0);
    expect(out).toContain('nodewright');
  });
});

test('commands that need no cluster read no kubeconfig', async () => {
  const broken = join(folder, 'kubeconfig');
  writeFileSync(broken, 'this is: [no kubeconfig');
  vi.stubEnv('KUBECONFIG', broken);
  const region = 'iam-policy --cluster-name demo --account-id 111122223333 --region us-east-1';
  for (const line of ['schema nodepool', 'completion bash', 'crds', region])
    expect((await sh(line)).status, line).toBe(0);
  vi.unstubAllEnvs();
});
