import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../exit-status.ts';
import { convertManifests } from './convert.ts';

const repository = join(import.meta.dirname, '../../../..');
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

describe('the native AMI versioning examples', () => {
  const example = (name: string): string => join(repository, 'examples/native-ami-versioning', name);

  test('pin a release with a suffix of the family', () => {
    const { out, err } = converted(example('release-pin.yaml'), { clusterName: 'demo' });
    expect(out).toContain(
      '  # No version suffix defaults to latest\n  amiSelectorTerms:\n    - alias: al2@v20220824\n',
    );
    expect(err).toBe('');
  });

  for (const { name, words } of [
    {
      name: 'bake-time.yaml',
      words:
        'document 1, AWSNodeTemplate default: spec.amiSelector.minimumAgeDuration: "10d  // metav1.Duration" has a remark in it',
    },
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
