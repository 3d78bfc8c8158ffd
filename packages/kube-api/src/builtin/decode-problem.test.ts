import { expect, test } from 'vitest';
import { jsonTextAt } from '../schema/json.ts';
import { answerOf, recorded, sentBy } from '@nodewright/testkit/worlds';
import { decodeProblem } from './decode-problem.ts';
import { builtinSchema, groupVersionKindOf } from '../schema/definitions.ts';
import { withObjectMetadata } from '../schema/resource-schema.ts';

const errors = [...recorded('errors'), ...recorded('lease'), ...recorded('misc')];

test.each([
  '400-type-error',
  '400-bad-quantity',
  '400-bad-time',
  '400-bad-microtime',
  'time-without-fraction',
  'secret-bad-base64',
])('an object is unreadable as recorded: %s', (slug) => {
  const exchange = errors.find((candidate) => candidate.slug === slug);
  const sent = (exchange && sentBy(exchange)) ?? {};
  const { group, version, kind } = groupVersionKindOf(sent);
  const problem = decodeProblem(builtinSchema(group, version, kind) ?? {}, sent);
  expect(jsonTextAt(exchange && answerOf(exchange), 'message')).toContain(`cannot be handled as a ${kind}: ${problem}`);
});

test('a text is no count of replicas', () => {
  const deployment = builtinSchema('apps', 'v1', 'Deployment') ?? {};
  expect(decodeProblem(deployment, { spec: { replicas: 'three' } })).toBe(
    'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  );
});

test('labels of a custom resource are texts', () => {
  const metadata = withObjectMetadata({ type: 'object' }).properties?.['metadata'] ?? {};
  expect(decodeProblem(metadata, { labels: { a: 1 } })).toBe(
    'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  );
});
