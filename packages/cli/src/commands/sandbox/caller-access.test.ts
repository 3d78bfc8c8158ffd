import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import { readCallerAccess } from './caller-access.ts';

const settings = { clusterName: 'sandbox', region: 'us-east-1' };
const folder = mkdtempSync(join(tmpdir(), 'policy-'));

function policyFile(text: string): string {
  const file = join(folder, 'policy.json');
  writeFileSync(file, text);
  return file;
}

const allowNothing = '{"Version":"2012-10-17","Statement":[]}';

test('without either flag everything is allowed', () => {
  expect(readCallerAccess({ controller: true }, settings, () => undefined)).toBeUndefined();
});

test('a policy holds for the operator inside, or for whoever signs where there is none', () => {
  const iamPolicy = policyFile(allowNothing);
  const read = (controller: boolean) => readCallerAccess({ iamPolicy, controller }, settings, () => undefined);
  expect(read(true)).toMatchObject({ of: 'direct', rules: { mode: 'enforce' } });
  expect(read(false)).toMatchObject({ of: 'signed', rules: { mode: 'enforce' } });
});

test('a call that would be refused is printed once, under the policy that the command prints', () => {
  const lines: string[] = [];
  const access = readCallerAccess({ denyUnlisted: true, controller: true }, settings, (line) => lines.push(line));
  expect(access?.rules.policy.statements.map(({ sid }) => sid)).toContain('EndInstancesOfScalingGroups');
  const refusal = { action: 'ec2:CreateVpc', resource: '*', isExplicit: false };
  access?.rules.onRefusal?.(refusal);
  access?.rules.onRefusal?.(refusal);
  expect(lines).toEqual(['the policy would refuse ec2:CreateVpc on *: no statement allows it']);
});

test('a wrong file is refused with every mistake', () => {
  const read = (iamPolicy: string) => () =>
    readCallerAccess({ iamPolicy, controller: true }, settings, () => undefined);
  expect(read(join(folder, 'none.json'))).toThrow(InputError);
  expect(read(policyFile('{"Version":"1","Statement":[{"Effect":"Allow"}]}'))).toThrow(
    /policy\.json: Version: must be 2012-10-17\n.*policy\.json: Statement\[0\]: must have one of Action/,
  );
});
