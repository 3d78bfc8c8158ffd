import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { CliContext } from './context.ts';
import { writeAnswer, type OutputFormat } from './output.ts';

const shared = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] };
const object = { kind: 'Answer', first: shared, second: shared };

function written(format: OutputFormat | undefined): string {
  let text = '';
  const process = { stdout: { write: (more: string) => (text += more) } };
  writeAnswer({ process } as unknown as CliContext, format, { object, text: 'for people' });
  return text;
}

test('an answer is the same object in JSON and in YAML, and its text otherwise', () => {
  const whole = { apiVersion: 'nodewright.dev/v1alpha1', ...object };
  expect(JSON.parse(written('json'))).toEqual(whole);
  expect(parse(written('yaml'))).toEqual(whole);
  expect(written(undefined)).toBe('for people\n');
});

test('YAML says twice what an answer has twice, as kubectl does', () => {
  expect(written('yaml')).not.toMatch(/[&*]a1/);
});
