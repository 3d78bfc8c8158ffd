import { describe, expect, test } from 'vitest';
import { evaluatePolicy, type AccessDecision } from './evaluate-policy.ts';
import { parseIamPolicy } from './parse-policy.ts';

const instance = 'arn:aws:ec2:us-east-1:111122223333:instance/i-1';

type Statement = Readonly<Record<string, unknown>>;
const base = { Effect: 'Allow', Action: 'ec2:TerminateInstances', Resource: '*' };

function decide(statements: readonly Statement[], keys: Readonly<Record<string, string | readonly string[]>> = {}) {
  const Statement = statements.map((each) => ({ ...base, ...each }));
  const policy = parseIamPolicy(JSON.stringify({ Version: '2012-10-17', Statement }));
  const context = new Map(
    Object.entries(keys).map(([key, value]) => [key.toLowerCase(), typeof value === 'string' ? [value] : value]),
  );
  return evaluatePolicy(policy, { action: 'ec2:TerminateInstances', resource: instance, context });
}

describe('a statement matches', () => {
  for (const { fact, statement, decision } of [
    {
      fact: 'an action by its name, in any case',
      statement: { Action: 'EC2:terminateinstances' },
      decision: 'allowed',
    },
    { fact: 'an action by a pattern', statement: { Action: 'ec2:*' }, decision: 'allowed' },
    { fact: 'no other action', statement: { Action: ['ec2:RunInstances', 'iam:*'] }, decision: 'denied' },
    { fact: 'what NotAction leaves', statement: { Action: undefined, NotAction: 'iam:*' }, decision: 'allowed' },
    { fact: 'nothing of NotAction', statement: { Action: undefined, NotAction: 'ec2:*' }, decision: 'denied' },
    { fact: 'a resource by a pattern', statement: { Resource: 'arn:aws:ec2:*:*:instance/*' }, decision: 'allowed' },
    { fact: 'no other resource', statement: { Resource: 'arn:aws:ec2:*:*:volume/*' }, decision: 'denied' },
    {
      fact: 'nothing of NotResource',
      statement: { Resource: undefined, NotResource: 'arn:aws:ec2:*:*:instance/*' },
      decision: 'denied',
    },
  ] satisfies readonly { fact: string; statement: Statement; decision: AccessDecision }[]) {
    test(fact, () => {
      expect(decide([statement])).toBe(decision);
    });
  }
});

test('a denial wins over every allowance', () => {
  expect(decide([{}, { Effect: 'Deny' }])).toBe('explicitlyDenied');
  expect(decide([{ Effect: 'Deny', Action: 'iam:*' }])).toBe('denied');
});

describe('a condition holds', () => {
  const tag = 'aws:ResourceTag/team';
  for (const { fact, condition, keys = { [tag]: 'a' }, holds } of [
    { fact: 'for an equal value', condition: { StringEquals: { [tag]: 'a' } }, holds: true },
    { fact: 'for one of several values', condition: { StringEquals: { [tag]: ['b', 'a'] } }, holds: true },
    { fact: 'not for another value', condition: { StringEquals: { [tag]: 'b' } }, holds: false },
    { fact: 'not without the key', condition: { StringEquals: { [tag]: 'a' } }, keys: {}, holds: false },
    {
      fact: 'without the key, with IfExists',
      condition: { StringEqualsIfExists: { [tag]: 'a' } },
      keys: {},
      holds: true,
    },
    {
      fact: 'without the key, where it is negated',
      condition: { StringNotEquals: { [tag]: 'a' } },
      keys: {},
      holds: true,
    },
    { fact: 'for a pattern', condition: { StringLike: { [tag]: '?*' } }, holds: true },
    { fact: 'for no pattern with StringEquals', condition: { StringEquals: { [tag]: '*' } }, holds: false },
    { fact: 'when the key is asked not to be there', condition: { Null: { [tag]: 'true' } }, keys: {}, holds: true },
    { fact: 'only when all keys do', condition: { StringEquals: { [tag]: 'a', other: 'x' } }, holds: false },
    {
      fact: 'for names of keys in any case',
      condition: { StringEquals: { 'AWS:resourcetag/TEAM': 'a' } },
      holds: true,
    },
    {
      fact: 'when all of several values are allowed',
      condition: { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['a', 'b'] } },
      keys: { 'aws:TagKeys': ['a', 'b'] },
      holds: true,
    },
    {
      fact: 'not when one of several values is not allowed',
      condition: { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['a', 'b'] } },
      keys: { 'aws:TagKeys': ['a', 'c'] },
      holds: false,
    },
    {
      fact: 'for all of no values',
      condition: { 'ForAllValues:StringEquals': { 'aws:TagKeys': 'a' } },
      keys: {},
      holds: true,
    },
    {
      fact: 'when any of several values is meant',
      condition: { 'ForAnyValue:StringEquals': { 'aws:TagKeys': 'a' } },
      keys: { 'aws:TagKeys': ['a', 'c'] },
      holds: true,
    },
    {
      fact: 'for a variable of the policy',
      condition: { StringEquals: { [tag]: '${aws:PrincipalAccount}' } },
      keys: { [tag]: '1', 'aws:PrincipalAccount': '1' },
      holds: true,
    },
    { fact: 'for no variable that is not there', condition: { StringLike: { [tag]: '*${aws:userid}' } }, holds: false },
    {
      fact: 'for an ARN part by part',
      condition: { ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam:*:role/a' } },
      keys: { 'aws:PrincipalArn': 'arn:aws:iam::1:role/a' },
      holds: false,
    },
    { fact: 'for a smaller number', condition: { NumericLessThan: { n: '10' } }, keys: { n: '9' }, holds: true },
    {
      fact: 'for a truth',
      condition: { Bool: { 'aws:SecureTransport': true } },
      keys: { 'aws:SecureTransport': 'true' },
      holds: true,
    },
  ] satisfies readonly {
    fact: string;
    condition: object;
    keys?: Readonly<Record<string, string | readonly string[]>>;
    holds: boolean;
  }[]) {
    test(fact, () => {
      expect(decide([{ Condition: condition }], keys)).toBe(holds ? 'allowed' : 'denied');
    });
  }
});

test('every mistake of a policy is told with its place', () => {
  const parse = (document: unknown) => () => parseIamPolicy(JSON.stringify(document));
  expect(() => parseIamPolicy('{')).toThrow('is no JSON');
  expect(
    parse({
      Version: '2008-10-17',
      Statement: [
        { Effect: 'allow', Action: 'ec2', Resource: 'instance/*', Principal: '*' },
        { ...base, NotAction: 'iam:*', Condition: { StringEqual: { a: 'b' }, StringLike: { a: {} } } },
      ],
    }),
  ).toThrow(
    [
      'Version: must be 2012-10-17',
      'Statement[0].Principal: an identity-based policy has no such element',
      'Statement[0].Effect: must be Allow or Deny',
      'Statement[0].Action: ec2 is none',
      'Statement[0].Resource: instance/* is none',
      'Statement[1]: must have one of Action and NotAction',
      'Statement[1].Condition.StringEqual: the sandbox does not know this operator',
      'Statement[1].Condition.StringLike.a: must be a text or a list of texts',
    ].join('\n'),
  );
});
