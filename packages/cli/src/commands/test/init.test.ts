import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareScenario, readScenarios } from '@nodewright/scenario-files';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CliContext } from '../../terminal/context.ts';
import { writeFirstScenario } from './init.ts';

const examples = fileURLToPath(new URL('../../../../../examples/upgrade-nodes-with-drift', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-scenario-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @returns what the command says */
function init(...paths: readonly string[]): string {
  let text = '';
  const process = { stdout: { write: (more: string) => (text += more) } };
  writeFirstScenario.call({ process } as unknown as CliContext, {}, ...paths);
  return text;
}

/** Reads a scenario as `nodewright test` does: conditions are compiled, and manifests are read. */
function prepareFile(file: string) {
  const [scenario] = readScenarios(file, readFileSync(file, 'utf8'));
  const played = scenario?.cases[0];
  if (scenario === undefined || played === undefined) throw new Error(`${file} holds no scenario`);
  return prepareScenario(scenario, played, { standardInput: () => '' });
}

test('the first scenario of a folder compiles, is given the folder, and doubles the largest Deployment', () => {
  cpSync(examples, folder, { recursive: true });
  const file = join(folder, 'nodewright.scenario.yaml');
  expect(init(folder)).toBe(`${file} is written. Play it with: nodewright test ${file}\n`);
  const { given, steps, remarks } = prepareFile(file);
  expect(given.objects.map(({ object }) => `${object.kind} ${object.metadata.name}`).toSorted()).toEqual([
    'Deployment inflate',
    'EC2NodeClass bottlerocket',
    'EC2NodeClass default',
    'NodePool default',
  ]);
  expect(steps.find((step) => step.do === 'scale')).toMatchObject({ key: { name: 'inflate' }, replicas: 4 });
  expect(remarks).toEqual([]);
});

test('NodePools without a workload get pods of their own', () => {
  cpSync(join(examples, 'basic.yaml'), join(folder, 'basic.yaml'));
  init(join(folder, 'basic.yaml'));
  const { applied } = prepareFile(join(folder, 'nodewright.scenario.yaml'));
  expect([...applied.values()].flat().map(({ object }) => object.metadata.name)).toEqual(['probe-default']);
});

test('a scenario that is there stays as it is', () => {
  cpSync(examples, folder, { recursive: true });
  const file = join(folder, 'nodewright.scenario.yaml');
  writeFileSync(file, '# mine\n');
  expect(() => init(folder)).toThrow(`${file} is there already, and stays as it is`);
  expect(readFileSync(file, 'utf8')).toBe('# mine\n');
});

test('a folder without NodePools, and one that is not there, are refused', () => {
  cpSync(join(examples, 'sample-deploy.yaml'), join(folder, 'sample-deploy.yaml'));
  expect(() => init(folder)).toThrow(`${folder}: there is no NodePool; name the files or folders that have yours`);
  const old = join(folder, 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'a.yaml'), 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: spot}\n');
  expect(() => init(old)).toThrow('Provisioner spot is of before v1beta1; nodewright convert -f makes a NodePool');
  expect(() => init(join(folder, 'none'))).toThrow('none: there is no such file or folder');
});

test('a template that is not rendered is told as one, and nothing is written', () => {
  const template = join(folder, 'pool.yaml');
  writeFileSync(template, 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n  name: {{ .Values.name }}\n');
  expect(() => init(template)).toThrow('line 4 has {{ .Values.name }}: this looks like a Helm template');
  expect(() => init(folder)).toThrow('pool.yaml is a Helm template that is not rendered');
});

test('patches of a kustomization are not taken for objects', () => {
  cpSync(join(examples, 'basic.yaml'), join(folder, 'basic.yaml'));
  mkdirSync(join(folder, 'prod'));
  const patch = 'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: default}\nspec: {weight: 5}\n';
  writeFileSync(join(folder, 'prod', 'patch.yaml'), patch);
  writeFileSync(join(folder, 'prod', 'kustomization.yaml'), 'resources: [../]\npatches: [{path: patch.yaml}]\n');
  init(folder);
  const { given, remarks } = prepareFile(join(folder, 'nodewright.scenario.yaml'));
  expect(given.objects.map(({ object }) => object.kind)).toEqual(['EC2NodeClass', 'NodePool']);
  expect(remarks.join('\n')).toContain('patch.yaml is a patch of');
});
