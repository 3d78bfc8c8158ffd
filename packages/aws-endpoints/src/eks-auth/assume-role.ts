import { hours } from '@nodewright/apis';
import type { Clock } from '@nodewright/runtime';
import { arnOf, type AwsAccount } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import type { KeptPodIdentity } from '../eks/access-entry.ts';
import type { Eks } from '../eks/model.ts';
import type { Iam, Role } from '../iam/model.ts';
import { describeSession } from '../sts/callers.ts';
import { evaluateTrust, type TrustDemand } from '../sts/evaluate-trust.ts';
import type { Sessions } from '../sts/sessions.ts';
import type { ReadWebIdentity } from '../sts/web-identity.ts';

export type PodIdentityWorld = {
  readonly account: AwsAccount;
  readonly eks: Pick<Eks, 'clusterName' | 'clusters' | 'podIdentities'>;
  readonly iam: Pick<Iam, 'roles'>;
  readonly sessions: Sessions;
  /** The time of the cluster, by which its tokens expire. */
  readonly clock: Pick<Clock, 'now'>;
  readonly readWebIdentity: ReadWebIdentity;
};

/** Credentials for a pod end after this time. The agent on the node gets new ones before. */
const sessionSeconds = hours(6) / 1000;

export const podIdentityAudience = 'pods.eks.amazonaws.com';

type PodIdentityRequest = { readonly clusterName?: string; readonly token?: string };

/**
 * Gives a pod the role that is associated with its service account, for the token in the pod.
 * @throws AwsError in the words of EKS Auth
 */
export function assumeRoleForPodIdentity(world: PodIdentityWorld, request: PodIdentityRequest) {
  const { account, eks, sessions } = world;
  const { name: clusterName } = eks.clusters.cluster(request.clusterName ?? '');
  const subject = readPodToken(world, request.token ?? '');
  const association = [...eks.podIdentities.values()].find(
    (each) =>
      each.clusterName === clusterName &&
      each.namespace === subject.namespace &&
      each.serviceAccount === subject.serviceAccount,
  );
  if (association === undefined) throw noAssociation(subject);
  const role = findPodRole(world, association);
  const session = sessions.open(role, nameSession(clusterName, subject.pod), sessionSeconds);
  const { arn, id } = describeSession(account, session);
  return {
    subject: { namespace: subject.namespace, serviceAccount: subject.serviceAccount },
    audience: podIdentityAudience,
    podIdentityAssociation: {
      associationArn: arnOf(account, 'eks', `podidentityassociation/${clusterName}/${association.id}`),
      associationId: association.id,
    },
    assumedRoleUser: { arn, assumeRoleId: id },
    credentials: {
      accessKeyId: session.accessKeyId,
      secretAccessKey: session.secretAccessKey,
      sessionToken: session.sessionToken,
      expiration: new Date(session.expiresAt),
    },
  };
}

type CallingPod = { readonly name: string; readonly uid: string };
type PodSubject = { readonly namespace: string; readonly serviceAccount: string; readonly pod: CallingPod };

type PodClaims = {
  readonly aud?: readonly string[];
  readonly exp?: number;
  readonly 'kubernetes.io'?: {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string };
    readonly pod?: CallingPod;
  };
};

function readPodToken({ clock, readWebIdentity }: PodIdentityWorld, token: string): PodSubject {
  const claims = readWebIdentity(token) as PodClaims | undefined;
  const about = claims?.['kubernetes.io'];
  if (about === undefined) throw invalidPodToken('The token included in the request could not be verified.');
  if (claims?.aud?.includes(podIdentityAudience) !== true)
    throw invalidPodToken(`The audience of the token included in the request is not ${podIdentityAudience}.`);
  if ((claims.exp ?? 0) * 1000 <= clock.now())
    throw new AwsError('ExpiredTokenException', 'The token included in the request is expired.');
  if (about.pod === undefined)
    throw invalidPodToken('The token included in the request does not have the pod information.');
  return { namespace: about.namespace, serviceAccount: about.serviceaccount.name, pod: about.pod };
}

const invalidPodToken = (message: string): AwsError => new AwsError('InvalidTokenException', message);

const noAssociation = ({ namespace, serviceAccount }: PodSubject): AwsError =>
  new AwsError(
    'ResourceNotFoundException',
    `No active association found for service account ${serviceAccount} in namespace ${namespace}.`,
    { status: 404 },
  );

/** The role of the association, and from it the role of another account or purpose that the association names. */
function findPodRole(world: PodIdentityWorld, { roleArn, targetRoleArn }: KeptPodIdentity): Role {
  const role = findRoleForPods(world, roleArn, { kind: 'Service', names: [podIdentityAudience] });
  return targetRoleArn === undefined
    ? role
    : findRoleForPods(world, targetRoleArn, { kind: 'AWS', names: [roleArn, world.account.id] });
}

function findRoleForPods({ iam }: PodIdentityWorld, arn: string, principal: TrustDemand['principal']): Role {
  const role = iam.roles().find((each) => each.arn === arn);
  const action = 'sts:AssumeRole';
  if (role !== undefined && evaluateTrust(role.trust, { action, principal, context: new Map() }) === 'allowed')
    return role;
  throw new AwsError(
    'AccessDeniedException',
    'Unauthorized Exception! EKS does not have permissions to assume the associated role.',
    {
      status: 400,
    },
  );
}

/** A session is named for its cluster and pod: at most 64 characters. */
const nameSession = (clusterName: string, { name, uid }: CallingPod): string =>
  `eks-${clusterName.slice(0, 10)}-${name.slice(0, 12)}-${uid}`.slice(0, 64);
