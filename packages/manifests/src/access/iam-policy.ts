import { type AwsGrant, type AwsPurpose, awsCalls } from './aws-calls.ts';
import { type AwsNames, type AwsScope, type AwsScopeName, awsScopes, type IamConditions } from './aws-scopes.ts';

type OneOrMore = string | readonly string[];

/** A statement of the policy of the controller. */
export type PolicyStatement = {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Resource: OneOrMore;
  readonly Action: OneOrMore;
  readonly Condition?: IamConditions;
};

export type PolicyDocument = { readonly Version: '2012-10-17'; readonly Statement: readonly PolicyStatement[] };

/** The policy that allows the calls of the table, and nothing else: a statement for each scope that is reached. */
export function buildIamPolicy(names: AwsNames, purposes: ReadonlySet<AwsPurpose>): PolicyDocument {
  const calls = awsCalls.filter(({ purpose }) => purposes.has(purpose));
  const scopes = [...new Set(calls.map(({ scope }) => scope))];
  return {
    Version: '2012-10-17',
    Statement: scopes.flatMap((scope) => statementOf(scope, calls, names)),
  };
}

function statementOf(Sid: AwsScopeName, calls: readonly AwsGrant[], names: AwsNames): readonly PolicyStatement[] {
  const { resources, conditions }: AwsScope = awsScopes[Sid];
  const reached = resources(names);
  if (reached.length === 0) return [];
  const actions = calls.filter(({ scope }) => scope === Sid).map(({ action }) => action);
  const base = { Sid, Effect: 'Allow', Resource: oneOrMore(reached), Action: oneOrMore(actions) } as const;
  return [conditions === undefined ? base : { ...base, Condition: conditions(names) }];
}

const oneOrMore = (texts: readonly string[]): OneOrMore => (texts.length === 1 ? texts.join('') : texts);
