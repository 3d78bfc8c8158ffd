import { choice, list, mapOf, object, optional, rule, text } from '../../schema/build.ts';
import { fieldPatterns, patternWords } from './patterns.ts';

const termTags = optional(
  mapOf(text(), {
    description: 'Tags to look for; the value * means any value.',
    maxProperties: 20,
    rules: [
      rule(
        'neither keys nor values of tags may be empty',
        "self.all(key, key != '' && self[key] != '')",
        "self.filter(key, key == '' || self[key] == '')[0]",
      ),
    ],
  }),
);

/** Worded as it is tested: a list passes as soon as one term is clean. */
const notEveryTerm = (message: string, condition: string) => {
  const [member = ''] = message.split(' ');
  return rule(message, `!self.all(term, ${condition})`, culprit(member, condition));
};

/** The member of the first term of the kind. */
const culprit = (member: string, condition: string): string => `self.map(term, ${condition}, term.${member})[0]`;

const noTerm = (message: string, condition: string) => {
  const [member = ''] = message.split(' ');
  return rule(message, `!self.exists(term, ${condition})`, culprit(member, condition));
};

export const subnetTermsSchema = list(
  object({
    id: optional(text({ description: 'Id of the subnet.', pattern: fieldPatterns.subnetId })),
    tags: termTags,
  }),
  {
    description: 'Which subnets instances may be launched in; any term may match.',
    maxItems: 30,
    rules: [
      rule('at least one term is needed', 'self.size() > 0'),
      rule('a term needs tags or id', 'self.all(term, has(term.tags) || has(term.id))'),
      notEveryTerm('id goes without tags', 'has(term.id) && has(term.tags)'),
    ],
  },
);

export const securityGroupTermsSchema = list(
  object({
    id: optional(text({ description: 'Id of the security group.', pattern: fieldPatterns.securityGroupId })),
    name: optional(text({ description: 'Name of the group in EC2, not its Name tag.' })),
    tags: termTags,
  }),
  {
    description: 'Which security groups instances get; those of all terms.',
    maxItems: 30,
    rules: [
      rule('at least one term is needed', 'self.size() > 0'),
      rule('a term needs tags, id or name', 'self.all(term, has(term.tags) || has(term.id) || has(term.name))'),
      notEveryTerm('id goes without tags and name', 'has(term.id) && (has(term.tags) || has(term.name))'),
      notEveryTerm('name goes without tags and id', 'has(term.name) && (has(term.tags) || has(term.id))'),
    ],
  },
);

export const capacityReservationTermsSchema = list(
  object({
    id: optional(text({ description: 'Id of the reservation.', pattern: fieldPatterns.capacityReservationId })),
    instanceMatchCriteria: optional(
      choice(['open', 'targeted'], { description: 'Which instances the reservation takes.' }),
    ),
    ownerID: optional(text({ description: 'Account that owns the reservation.', pattern: fieldPatterns.accountId })),
    tags: termTags,
  }),
  {
    description: 'Which capacity reservations may be used.',
    maxItems: 30,
    rules: [
      rule(
        'a term needs tags, id or instanceMatchCriteria',
        'self.all(term, has(term.tags) || has(term.id) || has(term.instanceMatchCriteria))',
      ),
      notEveryTerm(
        'id goes alone',
        'has(term.id) && (has(term.tags) || has(term.ownerID) || has(term.instanceMatchCriteria))',
      ),
    ],
  },
);

const aliasFamilyNames = ['al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025'];
const aliasFamilies = `[${aliasFamilyNames.map((name) => `'${name}'`).join(', ')}]`;
const windowsFamilies = "['windows2019', 'windows2022', 'windows2025']";

const alias = text({
  description: 'An EKS-optimised family and release: al2023@latest, bottlerocket@v1.20.0.',
  maxLength: 30,
  rules: [
    rule('alias is written family@version', "self.matches('^[a-zA-Z0-9]+@.+$')"),
    rule(
      `alias names a family that there is: ${aliasFamilyNames.join(', ')}`,
      `self.split('@')[0] in ${aliasFamilies}`,
    ),
    rule(
      'Windows families come as @latest only',
      `!(self.split('@')[0] in ${windowsFamilies}) || self.split('@')[1] == 'latest'`,
    ),
  ],
});

export const amiTermSchema = object({
  alias: optional(alias),
  id: optional(text({ description: 'Id of the image.', pattern: fieldPatterns.imageId })),
  minimumAgeDuration: optional(
    text({
      description:
        'Only images that have been out for this long are launched: 10d, 2w, 36h. Ignored beside id and a pinned alias.',
      maxLength: 64,
      // A rule and no pattern: its message says in words what would be right.
      rules: [
        rule(
          `must be ${patternWords.get(fieldPatterns.age)}`,
          `self.matches('${fieldPatterns.age.replaceAll('\\.', '[.]')}')`,
        ),
      ],
    }),
  ),
  name: optional(text({ description: 'Name of the image in EC2, not its Name tag; * and ? stand for others.' })),
  owner: optional(text({ description: 'Account id, self, amazon or aws-marketplace.' })),
  ssmParameter: optional(text({ description: 'SSM parameter that holds the id of the image.' })),
  tags: termTags,
});

export const amiSelectorTermsSchema = list(amiTermSchema, {
  description: 'Which images nodes may get; any term may match.',
  minItems: 1,
  maxItems: 30,
  rules: [
    rule(
      'a term needs tags, id, name, alias or ssmParameter',
      'self.all(term, has(term.tags) || has(term.id) || has(term.name) || has(term.alias) || has(term.ssmParameter))',
    ),
    noTerm(
      'id goes without alias, tags, name and owner',
      'has(term.id) && (has(term.alias) || has(term.tags) || has(term.name) || has(term.owner))',
    ),
    noTerm(
      'alias goes without id, tags, name and owner',
      'has(term.alias) && (has(term.id) || has(term.tags) || has(term.name) || has(term.owner))',
    ),
    rule(
      'a term with alias is the only one',
      '!self.exists(term, has(term.alias)) || self.size() == 1',
      culprit('alias', 'has(term.alias)'),
    ),
  ],
});
