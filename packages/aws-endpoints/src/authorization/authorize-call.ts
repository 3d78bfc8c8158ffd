import type { AwsError } from '../codec/aws-error.ts';
import type { Decoded } from '../codec/protocol.ts';
import { operationName, type WireStructure } from '../codec/shape.ts';
import { createPolicyRefusal } from '../common-errors.ts';
import type { AwsCaller, AwsService, ServiceName } from '../service.ts';
import { type DemandCaller, demandMaker, type MakeDemand } from './demand-context.ts';
import { demandsOfEc2 } from './ec2-demands.ts';
import { evaluatePolicy, type AccessDecision } from './evaluate-policy.ts';
import type { AccessDemand, IamPolicy } from './iam-policy.ts';
import type { LaunchSources } from './launch-demands.ts';
import {
  demandsOfAutoScaling,
  demandsOfEks,
  demandsOfIam,
  demandsOfSqs,
  demandsOfSsm,
  type ServiceSources,
} from './service-demands.ts';

/** An action that a policy does not allow. */
export type AccessRefusal = {
  readonly action: string;
  readonly resource: string;
  /** Whether a statement denies it, and not only none allows it. */
  readonly isExplicit: boolean;
};

/** What a caller may do. */
export type AccessRules = {
  readonly policy: IamPolicy;
  /** Whether calls are refused, or only told. */
  readonly mode: 'enforce' | 'tell';
  /** Called with all that a call demands, before it is decided. */
  readonly onDemands?: (demands: readonly AccessDemand[]) => void;
  /** Called for every call that the policy does not allow. */
  readonly onRefusal?: (refusal: AccessRefusal) => void;
};

export type AuthorizationDeps = LaunchSources & ServiceSources & DemandCaller & { readonly rules: AccessRules };

/** Returns why the policy refuses a call. */
export type AuthorizeCall = (service: AwsService, decoded: Decoded, caller: AwsCaller) => AwsError | undefined;

/** Everything that a call demands has to be allowed. The error names the first demand that is not. */
export const authorizeCalls =
  (deps: AuthorizationDeps): AuthorizeCall =>
  (service, decoded) => {
    const { rules, principal } = deps;
    const make = demandMaker(deps);
    const demands = listDemands(deps, make, { service: service.name, ...nameCall(decoded) });
    rules.onDemands?.(demands);
    const refused = findRefusedDemand(rules.policy, demands);
    if (refused === undefined) return undefined;
    rules.onRefusal?.(refused);
    return rules.mode === 'enforce' ? createPolicyRefusal(service, { ...refused, principal }) : undefined;
  };

const nameCall = ({ operation, input }: Decoded) => ({ operation: operationName(operation), input });

type NamedCall = { readonly service: ServiceName; readonly operation: string; readonly input: WireStructure };

/** Whoever has credentials may ask who they are. A token of an identity provider needs no credentials. */
const freeOperations: readonly string[] = ['GetCallerIdentity', 'AssumeRoleWithWebIdentity'];

const isFree = ({ service, operation }: NamedCall): boolean => service === 'sts' && freeOperations.includes(operation);

function listDemands(deps: AuthorizationDeps, make: MakeDemand, call: NamedCall): readonly AccessDemand[] {
  const { service, operation, input } = call;
  if (isFree(call)) return [];
  switch (service) {
    case 'ec2':
      return demandsOfEc2(deps, make, operation, input);
    case 'iam':
      return demandsOfIam(deps, make, operation, input);
    case 'eks':
      return demandsOfEks(deps, make, operation, input);
    case 'ssm':
      return demandsOfSsm(deps, make, operation, input);
    case 'sqs':
      return demandsOfSqs(deps, make, operation, input);
    case 'sts':
      return [make(`sts:${operation}`, readRoleArn(input))];
    case 'autoscaling':
      return demandsOfAutoScaling(deps, make, operation, input);
    case 'eks-auth':
    case 'events':
    case 'pricing':
    case 'fis':
    case 'servicequotas':
      return [make(`${service}:${operation}`, '*')];
  }
}

const readRoleArn = ({ RoleArn: arn }: WireStructure): string => (typeof arn === 'string' ? arn : '*');

function findRefusedDemand(policy: IamPolicy, demands: readonly AccessDemand[]): AccessRefusal | undefined {
  for (const demand of demands) {
    const decision: AccessDecision = evaluatePolicy(policy, demand);
    if (decision !== 'allowed')
      return { action: demand.action, resource: demand.resource, isExplicit: decision === 'explicitlyDenied' };
  }
  return undefined;
}
