import { amiTermsSchema } from '../karpenter/v1/ec2-node-class-terms.ts';
import { patterns } from '../karpenter/v1/patterns.ts';
import { choice, flag, type Infer, integer, object, optional, rule, text } from '../schema/build.ts';

const imageSchema = object(
  { amiSelectorTerms: amiTermsSchema },
  { description: 'The wanted image, in the words of an EC2NodeClass. Without it the group is watched only.' },
);

const share = (description: string) => optional(integer('int32', { description, minimum: 1, maximum: 100 }));

const updateSchema = object(
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
        pattern: patterns.duration,
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

const named = (description: string) =>
  optional(object({ name: text({ description: 'Its name.', minLength: 1, maxLength: 255 }) }, { description }));

export const nodeGroupSpecSchema = object(
  {
    eks: named('A managed node group of the EKS cluster.'),
    autoScalingGroup: named('An Auto Scaling group that no service manages.'),
    image: optional(imageSchema),
    update: optional(updateSchema),
  },
  {
    rules: [
      rule('exactly one of eks and autoScalingGroup is needed', 'has(self.eks) != has(self.autoScalingGroup)'),
      rule(
        'the group cannot change; make another NodeGroup',
        'has(self.eks) == has(oldSelf.eks) && (!has(self.eks) || self.eks.name == oldSelf.eks.name) && (!has(self.autoScalingGroup) || self.autoScalingGroup.name == oldSelf.autoScalingGroup.name)',
      ),
    ],
  },
);

export type NodeGroupSpec = Infer<typeof nodeGroupSpecSchema>;
