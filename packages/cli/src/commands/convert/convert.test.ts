import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import { convertManifests } from './convert.ts';

const repository = join(import.meta.dirname, '../../../../..');
const testdata = join(import.meta.dirname, 'testdata');

function converted(path: string, flags: { readonly clusterName?: string } = {}) {
  const said = { out: '', err: '' };
  const process = {
    stdout: { write: (text: string) => (said.out += text) },
    stderr: { write: (text: string) => (said.err += text) },
  };
  convertManifests.call({ process }, { filename: [path], ...flags });
  return said;
}

test('remarks, order and quotes stay where fields stay, and move where they move', () => {
  expect(converted(join(testdata, 'provisioner.yaml')).out).toBe(
    readFileSync(join(testdata, 'node-pool.yaml'), 'utf8'),
  );
});

test('a remark whose field is gone is told', () => {
  expect(converted(join(testdata, 'provisioner.yaml')).err).toMatch(/lost a remark .*# not needed any more\n/);
});

test('what is in v1 already comes out as it was', () => {
  const folder = join(repository, 'examples/managing-amis');
  const { out, err } = converted(folder);
  expect(err).toBe('');
  expect(out).toContain(`  # Using alias
  amiSelectorTerms:
  - alias: al2023@v20240219
`);
});

describe('what an API server would refuse as v1 is refused', () => {
  const pool = (spec: object) => ({
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodePool',
    metadata: { name: 'a' },
    spec,
  });
  const nodeClass = (spec: object) => ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'a' },
    spec: {
      subnetSelectorTerms: [{ id: 'subnet-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
      role: 'r',
      ...spec,
    },
  });
  for (const { fact, manifest, words } of [
    {
      fact: 'by the rules of a converted pool',
      manifest: pool({
        template: {
          spec: {
            nodeClassRef: { name: 'a' },
            requirements: [{ key: 'karpenter.sh/nodepool', operator: 'Exists' }],
          },
        },
      }),
      words:
        'an API server would refuse it as v1: spec.template.spec.requirements[0].key: Invalid value: "karpenter.sh/nodepool"',
    },
    {
      fact: 'by the rules across the fields of a class',
      manifest: nodeClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }, { id: 'ami-1' }] }),
      words: /an API server would refuse it as v1: spec.amiSelectorTerms: Invalid value/,
    },
    {
      fact: 'by the rules of a whole class',
      manifest: nodeClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }], instanceProfile: 'p' }),
      words: /an API server would refuse it as v1: spec: Invalid value/,
    },
  ]) {
    test(fact, () => {
      const file = join(mkdtempSync(join(tmpdir(), 'convert-')), 'manifest.json');
      writeFileSync(file, JSON.stringify(manifest));
      expect(() => converted(file, { clusterName: 'demo' })).toThrow(words);
    });
  }
});

describe('the native AMI versioning examples', () => {
  const example = (name: string): string => join(repository, 'examples/native-ami-versioning', name);

  test('pin a release with a suffix of the family', () => {
    const { out, err } = converted(example('release-pin.yaml'), { clusterName: 'demo' });
    expect(out).toContain(
      '  # No version suffix defaults to latest\n  amiSelectorTerms:\n    - alias: al2@v20220824\n',
    );
    expect(err).toBe('');
  });

  test('bake, with the remark of the design taken for one', () => {
    const { out, err } = converted(example('bake-time.yaml'), { clusterName: 'demo' });
    expect(out).toContain('amiSelectorTerms:\n    - minimumAgeDuration: 10d\n      alias: al2@latest\n');
    expect(err).toContain('"10d  // metav1.Duration" is read as 10d: // begins no comment in YAML, # does');
  });

  test('are written with what is still to be filled in, and told what that is', () => {
    const { out, err } = converted(example('release-pin.yaml'));
    expect(out).toContain('alias: al2@v20220824');
    expect(err).toMatch(/spec\.subnetSelectorTerms/);
  });

  for (const { name, words } of [
    { name: 'ami-version.yaml', words: 'write amiFamily: Bottlerocket-v1.9.1' },
    { name: 'latest-ubuntu.yaml', words: '--kubernetes-version 1.29' },
  ]) {
    test(`${name} is refused with words that help`, () => {
      expect(() => converted(example(name))).toThrow(InputError);
      expect(() => converted(example(name))).toThrow(words);
    });
  }
});

test('a file that is not there is wrong input', () => {
  expect(() => converted('no-such-file.yaml')).toThrow('no-such-file.yaml: there is no such file or folder');
});
