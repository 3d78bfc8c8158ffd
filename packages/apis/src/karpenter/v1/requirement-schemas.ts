import { choice, integer, list, object, optional, rule, text } from '../../schema/build.ts';
import { type KeyUse, labelKeyRules } from './label-key-rules.ts';
import { fieldPatterns } from './patterns.ts';

/** The key of a requirement. */
const requirementKey = (use: KeyUse) =>
  text({
    description: 'The label key that the requirement is about.',
    maxLength: 316,
    pattern: fieldPatterns.qualifiedName,
    rules: labelKeyRules(use),
  });

const requirementOperators = ['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

const requirementOperator = choice(requirementOperators, {
  description: 'How the value of the label compares with the values.',
});
const requirementValues = optional(
  list(text(), { description: 'What the label is compared with.', listType: 'atomic' }),
);

const boundsNeedANumber = rule(
  'operators Gt, Lt, Gte and Lte need exactly one value, an integer of at least 0',
  "self.all(r, !(r.operator in ['Gt', 'Lt', 'Gte', 'Lte']) || (r.values.size() == 1 && int(r.values[0]) >= 0))",
  "self.map(r, r.operator in ['Gt', 'Lt', 'Gte', 'Lte'] && (r.values.size() != 1 || int(r.values[0]) < 0), r.key)[0]",
);

/** What the labels of a node have to be. */
export const requirementsSchema = (use: KeyUse) =>
  list(
    object({
      key: requirementKey(use),
      minValues: optional(
        integer('plain', {
          description: 'How many different values of the key the instance types to choose from must have at least.',
          minimum: 1,
          maximum: 50,
        }),
      ),
      operator: requirementOperator,
      values: requirementValues,
    }),
    {
      description: 'What the labels of a node have to be; all of them hold.',
      maxItems: 100,
      rules: [
        rule(
          'operator In needs values',
          "self.all(r, r.operator != 'In' || r.values.size() > 0)",
          "self.map(r, r.operator == 'In' && r.values.size() == 0, r.key)[0]",
        ),
        boundsNeedANumber,
        rule(
          'operator In needs at least as many values as minValues says',
          "self.all(r, !(r.operator == 'In' && has(r.minValues)) || r.values.size() >= r.minValues)",
          "self.map(r, r.operator == 'In' && has(r.minValues) && r.values.size() < r.minValues, r.key)[0]",
        ),
      ],
    },
  );

/** What instance types and offerings have to be for an overlay to apply to them. */
export const overlayRequirementsSchema = list(
  object({ key: requirementKey('inNodeOverlay'), operator: requirementOperator, values: requirementValues }),
  {
    description: 'Which instance types and offerings are meant; all of them hold.',
    maxItems: 100,
    rules: [
      rule(
        'operators In and NotIn need values',
        "self.all(r, !(r.operator in ['In', 'NotIn']) || r.values.size() > 0)",
        "self.map(r, r.operator in ['In', 'NotIn'] && r.values.size() == 0, r.key)[0]",
      ),
      boundsNeedANumber,
    ],
  },
);
