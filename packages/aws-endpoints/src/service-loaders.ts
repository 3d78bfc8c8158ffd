import type { Clock, Random } from '@nodewright/runtime';
import type { AwsAccount } from './account.ts';
import type { AutoScaling } from './autoscaling/auto-scaling.ts';
import type { Ec2 } from './ec2/model.ts';
import type { Eks } from './eks/model.ts';
import type { EventBus } from './events/event-bus.ts';
import type { Faults } from './faults/faults.ts';
import type { Experiments } from './fis/experiments.ts';
import type { Iam } from './iam/model.ts';
import { lazyServices } from './lazy-services.ts';
import type { Queues } from './sqs/queues.ts';
import type { ParameterStore } from './ssm/look-up.ts';
import type { FindRole, FindUserKey } from './sts/assume-role.ts';
import type { Sessions } from './sts/sessions.ts';
import type { ReadWebIdentity } from './sts/web-identity.ts';

/** What the services of one account work on, in one region. */
export type ServiceModels = {
  readonly account: AwsAccount;
  readonly clock: Clock;
  /** For the ids of scaling activities. */
  readonly activityRandom: Random;
  readonly iam: Iam;
  readonly findRole: FindRole;
  readonly sessions: Sessions;
  readonly findUserKey: FindUserKey;
  readonly readWebIdentity: ReadWebIdentity;
  readonly ec2: Ec2;
  readonly autoScaling: AutoScaling;
  readonly queues: Queues;
  readonly bus: EventBus;
  readonly fis: Experiments;
  readonly eks: Eks;
  readonly store: ParameterStore;
  readonly faults: Faults;
};

/** The services of one account in one region; each is loaded when it is first called. */
export function createServices(models: ServiceModels): ReturnType<typeof lazyServices> {
  const { account, ec2, queues, clock, iam, sessions, readWebIdentity, activityRandom } = models;
  return lazyServices({
    autoscaling: async () =>
      (await import('./autoscaling/service.ts')).autoScalingService({
        autoScaling: models.autoScaling,
        ec2,
        queues,
        clock,
        newId: () => activityRandom.uuid(),
      }),
    ec2: async () => (await import('./ec2/service.ts')).ec2Service(ec2),
    eks: async () => (await import('./eks/service.ts')).eksService(models.eks),
    'eks-auth': async () => (await import('./eks-auth/service.ts')).eksAuthService(models),
    events: async () => (await import('./events/service.ts')).eventsService(models.bus),
    fis: async () => (await import('./fis/service.ts')).fisService(models.fis),
    iam: async () => (await import('./iam/service.ts')).iamService(iam),
    pricing: async () =>
      (await import('./pricing/service.ts')).pricingService({ region: account.region, types: ec2.market.types }),
    servicequotas: async () => (await import('./service-quotas/service.ts')).serviceQuotasService(models),
    sqs: async () => (await import('./sqs/service.ts')).sqsService({ queues, account }),
    ssm: async () => (await import('./ssm/service.ts')).ssmService({ ...models.store, account }),
    sts: async () =>
      (await import('./sts/service.ts')).stsService({
        account,
        findRole: models.findRole,
        iam,
        clock,
        sessions,
        findUserKey: models.findUserKey,
        readWebIdentity,
      }),
  });
}
