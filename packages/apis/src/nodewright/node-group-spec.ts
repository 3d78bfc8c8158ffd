import { amiSelectorTermsSchema } from '../karpenter/v1/ec2-node-class-terms.ts';
import { fieldPatterns } from '../karpenter/v1/patterns.ts';
import { choice, flag, type Infer, integer, object, optional, rule, text } from '../schema/build.ts';

const imageSchema = object(
  { amiSelectorTerms: amiSelectorTermsSchema },
  { description: 'The wanted image, in the words of an EC2NodeClass. Without it the group is watched only.' },
);

const share = (description: string) => optional(integer('int32', { description, minimum: 1, maximum: 100 }));

const updateSpecSchema = object(
  {
    mode: optional(
      choice(['Automatic', 'OnRequest'], {
        description: 'Whether a new image is rolled out by itself, or when `nodewright nodegroup upgrade` asks for it.',
        default: 'Automatic',
      }),
    ),
    strategy: optional(
      choice(['DEFAULT', 'MINIMAL'], {
        description: 'New nodes before old ones go (DEFAULT), or one for the other without growing (MINIMAL).',
      }),
    ),
    maxUnavailable: share('How many nodes are replaced at once.'),
    maxUnavailablePercentage: share('How many nodes are replaced at once, in percent of the group; rounded down.'),
    force: optional(
      flag({ description: 'Whether pods that are still there when the time for a node is over are deleted.' }),
    ),
    drainTimeout: optional(
      text({
        description:
          'How long the pods of one node may take to leave; Auto Scaling groups only. EKS has its 15 minutes.',
        pattern: fieldPatterns.duration,
      }),
    ),
    onFailure: optional(
      choice(['leave', 'revert'], {
        description: 'What becomes of new nodes when an update of an Auto Scaling group fails half-way.',
      }),
    ),
  },
  {
    description: 'How nodes are replaced.',
    rules: [
      rule(
        'one of maxUnavailable and maxUnavailablePercentage at most',
        '!(has(self.maxUnavailable) && has(self.maxUnavailablePercentage))',
      ),
    ],
  },
);

const namedEks = optional(
  object(
    {
      name: text({
        description: 'Its name.',
        pattern: '^[0-9A-Za-z][0-9A-Za-z_-]*$',
        minLength: 1,
        maxLength: 63,
      }),
    },
    { description: 'A managed node group of the EKS cluster.' },
  ),
);

const namedScaling = optional(
  object(
    { name: text({ description: 'Its name.', minLength: 1, maxLength: 255 }) },
    { description: 'An Auto Scaling group that no service manages.' },
  ),
);

export const nodeGroupSpecSchema = object(
  {
    eks: namedEks,
    autoScalingGroup: namedScaling,
    image: optional(imageSchema),
    update: optional(updateSpecSchema),
  },
  {
    rules: [
      rule('exactly one of eks and autoScalingGroup is needed', 'has(self.eks) != has(self.autoScalingGroup)'),
      rule(
        'update.drainTimeout is for Auto Scaling groups only; EKS gives the pods of a node 15 minutes',
        '!(has(self.eks) && has(self.update) && has(self.update.drainTimeout))',
      ),
      rule(
        'update.onFailure is for Auto Scaling groups only; EKS decides that itself',
        '!(has(self.eks) && has(self.update) && has(self.update.onFailure))',
      ),
      rule(
        'the group cannot change; make another NodeGroup',
        'has(self.eks) == has(oldSelf.eks) && (!has(self.eks) || self.eks.name == oldSelf.eks.name) && (!has(self.autoScalingGroup) || self.autoScalingGroup.name == oldSelf.autoScalingGroup.name)',
      ),
    ],
  },
);

export type NodeGroupSpec = Infer<typeof nodeGroupSpecSchema>;
