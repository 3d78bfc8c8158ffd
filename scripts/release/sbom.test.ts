import { expect, test } from 'vitest';
import { describePackages } from './bundled-packages.ts';
import { buildSbom } from './sbom.ts';

const lockfile = {
  packages: {
    'packages/cli': { dependencies: { one: '1.0.0', '@scope/two': '2.0.0', unused: '9.0.0' } },
    'node_modules/one': {
      version: '1.0.0',
      license: 'MIT',
      integrity: 'sha512-AAEC',
      dependencies: { three: '3.0.0' },
    },
    'node_modules/@scope/two': {
      version: '2.0.0',
      license: '(MIT OR Apache-2.0)',
      integrity: 'sha512-AwQF',
      dependencies: { three: '^2.0.0', unused: '9.0.0' },
    },
    'node_modules/@scope/two/node_modules/three': { version: '2.9.0', license: 'MIT', integrity: 'sha512-BgcI' },
    'node_modules/three': { version: '3.0.0', license: '0BSD', integrity: 'sha512-CQoL' },
    'node_modules/unused': { version: '9.0.0', license: 'MIT', integrity: 'sha512-DA0O' },
  },
};
const bundled = [
  'node_modules/three',
  'node_modules/one',
  'node_modules/@scope/two',
  'node_modules/@scope/two/node_modules/three',
];
const release = { version: '0.1.0', description: 'a', license: 'Apache-2.0', createdAt: new Date(0) };

test('a bill of materials lists what is in the bundle, with the digests of the lockfile, and who needs what', () => {
  const inner = 'pkg:npm/three@2.9.0#node_modules/@scope/two/node_modules/three';
  expect(buildSbom(release, describePackages(bundled, lockfile))).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { timestamp: '1970-01-01T00:00:00.000Z', component: { name: 'nodewright', version: '0.1.0' } },
    components: [
      { name: '@scope/two', purl: 'pkg:npm/%40scope/two@2.0.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
      { name: 'three', version: '2.9.0', 'bom-ref': inner },
      { name: 'one', hashes: [{ alg: 'SHA-512', content: '000102' }], licenses: [{ license: { id: 'MIT' } }] },
      { name: 'three', version: '3.0.0' },
    ],
    dependencies: [
      { ref: 'pkg:npm/nodewright@0.1.0', dependsOn: ['pkg:npm/%40scope/two@2.0.0', 'pkg:npm/one@1.0.0'] },
      { ref: 'pkg:npm/%40scope/two@2.0.0', dependsOn: [inner] },
      { ref: inner, dependsOn: [] },
      { ref: 'pkg:npm/one@1.0.0', dependsOn: ['pkg:npm/three@3.0.0'] },
      { ref: 'pkg:npm/three@3.0.0', dependsOn: [] },
    ],
  });
});

test('a package in the bundle that the lockfile lacks is an error', () => {
  expect(() => describePackages(['node_modules/other'], lockfile)).toThrow(
    'package-lock.json lacks node_modules/other',
  );
});
