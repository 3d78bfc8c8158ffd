import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { root, sources, specifiers } from './sources.ts';

/** Which package may import which. Tests, scenarios, bench and scripts may import any; nothing imports them. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  apis: [],
  requirements: ['apis'],
  engine: ['requirements', 'apis'],
  ports: ['apis', 'requirements (types)', 'engine (types)'],
  runtime: ['apis'],
  nodegroups: ['apis'],
  lint: ['engine', 'requirements', 'apis'],
  manifests: ['requirements', 'apis'],
  operator: ['lint', 'engine', 'requirements', 'nodegroups', 'ports', 'runtime', 'apis'],
  dashboard: ['operator (types)', 'engine', 'apis'],
  ui: ['dashboard', 'apis'],
  'provider-aws': ['ports', 'requirements', 'engine (types)', 'runtime', 'apis'],
  'kube-api': ['runtime', 'apis'],
  'aws-endpoints': ['runtime', 'nodegroups', 'apis'],
  'cluster-sim': ['aws-endpoints (types)', 'runtime', 'apis'],
  sandbox: ['kube-api', 'aws-endpoints', 'cluster-sim', 'runtime', 'nodegroups', 'apis'],
  simulation: [
    'operator',
    'provider-aws',
    'sandbox',
    'kube-api',
    'aws-endpoints',
    'engine',
    'ports (types)',
    'runtime',
    'apis',
  ],
  'scenario-files': [
    'forecast',
    'operator',
    'provider-aws',
    'sandbox',
    'engine',
    'kube-api',
    'aws-endpoints',
    'requirements',
    'runtime',
    'apis',
  ],
  forecast: [
    'operator',
    'provider-aws',
    'sandbox',
    'kube-api',
    'aws-endpoints',
    'cluster-sim',
    'engine',
    'requirements',
    'ports',
    'runtime',
    'apis',
  ],
  testkit: [
    'apis',
    'requirements',
    'engine',
    'ports',
    'runtime',
    'nodegroups',
    'operator',
    'provider-aws',
    'kube-api',
    'aws-endpoints',
    'cluster-sim',
    'sandbox',
    'manifests',
  ],
  cli: [
    'apis',
    'requirements',
    'engine',
    'lint',
    'manifests',
    'operator',
    'ports',
    'provider-aws',
    'runtime',
    'kube-api',
    'aws-endpoints',
    'cluster-sim',
    'sandbox',
    'scenario-files',
    'forecast',
    'dashboard',
  ],
};

type Import = {
  readonly file: string;
  readonly from: string;
  readonly target: string;
  readonly path: string;
  readonly typeOnly: boolean;
};

function importsOf(file: string): readonly Import[] {
  const from = relative(join(root, 'packages'), file).split(sep)[0] ?? '';
  return [...readFileSync(file, 'utf8').matchAll(specifiers)].flatMap((match) => {
    const path = match[3] ?? match[4] ?? '';
    const target = /^@nodewright\/([^/]+)/.exec(path)?.[1];
    return target === undefined ? [] : [{ file, from, target, path, typeOnly: match[2] !== undefined }];
  });
}

const isAllowed = ({ from, target, typeOnly }: Import): boolean => {
  const allowed = mayImport[from] ?? [];
  return allowed.includes(target) || (typeOnly && allowed.includes(`${target} (types)`));
};

const packages = readdirSync(join(root, 'packages'));
const allImports = packages.flatMap((name) => sources(join(root, 'packages', name, 'src'))).flatMap(importsOf);
/**
 * Every package has one entry. `testkit` has a second one for whole worlds, `aws-endpoints` two and `forecast` one for the command
 * line, `dashboard` one for browsers.
 */
const doors = new Set([
  ...packages.map((name) => `@nodewright/${name}`),
  '@nodewright/testkit/worlds',
  '@nodewright/aws-endpoints/fault-kinds',
  '@nodewright/aws-endpoints/release-kinds',
  '@nodewright/forecast/fail-on',
  '@nodewright/dashboard/rows',
]);
/** The engine has a second entry for its tests. */
const doorsOfTestkit = new Set([...doors, '@nodewright/engine/inner']);
const show = ({ file, path }: Import): string => `${relative(root, file)} imports ${path}`;

test('every package is in the table, and the table names no other', () => {
  expect(packages.toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

test('packages import one way only, as the table says', () => {
  expect(allImports.filter((found) => !isAllowed(found)).map(show)).toEqual([]);
});

test('a package is reached through its index, never through a file inside', () => {
  const isDoor = ({ from, path }: Import): boolean => (from === 'testkit' ? doorsOfTestkit : doors).has(path);
  expect(allImports.filter((found) => !isDoor(found)).map(show)).toEqual([]);
});

/** Every start of the command loads these, whatever the command is. */
const light = new Set([
  '@nodewright/apis',
  '@nodewright/aws-endpoints/fault-kinds',
  '@nodewright/aws-endpoints/release-kinds',
  '@nodewright/forecast/fail-on',
]);

test('what describes a command loads no package that only the command needs', () => {
  const descriptions = allImports.filter(
    ({ file, typeOnly }) => /\/cli\/src\/.*\/command\.ts$/.test(file) && !typeOnly,
  );
  expect(descriptions.length).toBeGreaterThan(0);
  expect(descriptions.filter(({ path }) => !light.has(path)).map(show)).toEqual([]);
});

test('the table is exercised: imports are found where they are known to be', () => {
  expect(allImports.some(({ from, target }) => from === 'runtime' && target === 'apis')).toBe(true);
});

const realTimeOrChance = /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|performance\.now\()/;

test('time and chance are passed in everywhere but in runtime and cli', () => {
  const offenders = packages
    .filter((name) => name !== 'runtime' && name !== 'cli')
    .flatMap((name) => sources(join(root, 'packages', name, 'src')))
    .filter((file) => realTimeOrChance.test(readFileSync(file, 'utf8')));
  expect(offenders.map((file) => relative(root, file))).toEqual([]);
});

test('the environment is read in runtime and cli only', () => {
  const offenders = packages
    .filter((name) => name !== 'runtime' && name !== 'cli')
    .flatMap((name) => sources(join(root, 'packages', name, 'src')))
    .filter((file) => /\bprocess\.env\b/.test(readFileSync(file, 'utf8')));
  expect(offenders.map((file) => relative(root, file))).toEqual([]);
});
