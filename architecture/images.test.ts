import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const filesWith = (text: RegExp, folder = 'packages/operator/src'): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => text.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file));

test('one place launches: no node can get an image that the decision did not select', () => {
  const measures = 'packages/operator/src/reporting/measured-cloud.ts';
  const callers = filesWith(/\.launch\(/);
  expect(callers.filter((file) => file !== measures)).toEqual([
    'packages/operator/src/controllers/node-claim/launch.ts',
  ]);
  // Who measures a call passes the request on as it is.
  expect(readFileSync(join(root, measures), 'utf8').match(/\blaunch\b.*\(.*/g)).toEqual([
    expect.stringContaining("launch: (request, signal) => measure('Create', instances.launch(request, signal)"),
  ]);
});

test('one place decides which image nodes of a NodeClass get; others read, or decide for node groups', () => {
  expect(filesWith(/\bdecideImages\(/).toSorted()).toEqual([
    'packages/operator/src/controllers/node-class/plan.ts',
    'packages/operator/src/controllers/node-group/wanted.ts',
    'packages/operator/src/image-reading.ts',
  ]);
});

test('the launch rule of rollouts is part of that decision: nothing else applies it, and the operator has no way around it', () => {
  const users = readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/node_modules|\/dist\/|packages\/testkit\//.test(file))
    .filter((file) => /\b(?:imagesForLaunches|chooseLaunchImage|judgeImage)\(/.test(readFileSync(file, 'utf8')));
  expect(users.map((file) => relative(root, file)).toSorted()).toEqual([
    'packages/engine/src/images/decide-images.ts',
    'packages/engine/src/images/image-candidate.ts',
    'packages/engine/src/images/image-obstacle.ts',
    'packages/engine/src/images/image-rules.ts',
    'packages/engine/src/images/launch-rule.ts',
  ]);
});

test('ports are asked questions: no caller makes up an EC2NodeClass for one', () => {
  const asking = ['engine', 'ports', 'operator', 'provider-aws', 'nodegroups', 'forecast', 'dashboard'];
  const made = asking.flatMap((name) =>
    filesWith(/\b(?:subnet|securityGroup)SelectorTerms: \[/, `packages/${name}/src`),
  );
  expect(made).toEqual([]);
});

test('one place writes the selected images down', () => {
  expect(filesWith(/\bfields: \{ amis\b/)).toEqual(['packages/operator/src/controllers/node-class/status.ts']);
});
