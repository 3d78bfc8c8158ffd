import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';

const malformedPolicy = (message: string): AwsError => new AwsError('MalformedPolicyDocument', message);

/** Checks the document that says who may assume a role. @throws AwsError `MalformedPolicyDocument` */
export function checkTrustPolicy(document: string): void {
  const policy = parsePolicy(document);
  const statements = [policy['Statement']].flat();
  if (policy['Statement'] === undefined || statements.length === 0) throw malformedPolicy('Syntax errors in policy.');
  for (const statement of statements) checkStatement(statement);
}

/** @throws AwsError `MalformedPolicyDocument` for a text that is no object in JSON */
export function parsePolicy(document: string): Readonly<Record<string, unknown>> {
  const policy = parseJson(document);
  if (!isRecord(policy)) throw malformedPolicy('Syntax errors in policy.');
  return policy;
}

function parseJson(document: string): unknown {
  try {
    return JSON.parse(document) as unknown;
  } catch {
    throw malformedPolicy('This policy contains invalid Json');
  }
}

function checkStatement(statement: unknown): void {
  if (!isRecord(statement)) throw malformedPolicy('Syntax errors in policy.');
  if (statement['Effect'] !== 'Allow' && statement['Effect'] !== 'Deny')
    throw malformedPolicy(`Invalid effect: ${String(statement['Effect'])}`);
  for (const prohibited of ['Resource', 'NotResource'])
    if (readOwn(statement, prohibited) !== undefined) throw malformedPolicy(`Has prohibited field ${prohibited}`);
  if (statement['Principal'] === undefined && statement['NotPrincipal'] === undefined)
    throw malformedPolicy('Missing required field Principal');
  const actions = [statement['Action'] ?? statement['NotAction']].flat();
  if (actions[0] === undefined) throw malformedPolicy('Missing required field Action');
  if (actions.some((action) => typeof action !== 'string' || !/^(\*|sts:.+)$/i.test(action)))
    throw malformedPolicy('AssumeRole policy may only specify STS AssumeRole actions.');
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
