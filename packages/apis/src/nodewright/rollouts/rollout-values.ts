import { object, optional, rule, type Schema, text, list, choice, mapOf } from '../../schema/build.ts';
import type { LabelSelector } from '../../kubernetes/meta.ts';
import { fieldPatterns } from '../../karpenter/v1/patterns.ts';

/** CEL strings take a backslash as an escape. */
const inCel = (pattern: string): string => `'${pattern.replaceAll('\\', '\\\\')}'`;

/** An age: `30m`, `8h`, `14d`. */
export const ageText = (description: string): Schema<string> =>
  text({
    description,
    maxLength: 32,
    rules: [rule('must be an age such as 30s, 15m, 8h or 14d', `self.matches(${inCel(fieldPatterns.age)})`)],
  });

/** A count of nodes or a share of them: `3`, `"3"`, `10%`. */
export const countOrShare = (description: string): Schema<string | number> => ({
  description,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  maxLength: 10,
  'x-kubernetes-int-or-string': true,
  'x-kubernetes-validations': [
    rule(
      'must be a count of at least 1 or a percentage from 1% to 100%, such as 3 or 10%',
      "type(self) == int ? self >= 1 : self.matches('^([1-9][0-9]{0,8}|([1-9][0-9]?|100)%)$')",
    ),
  ],
});

/** A percentage: `20%`. */
export const shareText = (description: string): Schema<string> =>
  text({
    description,
    maxLength: 4,
    rules: [rule('must be a percentage from 1% to 100%, such as 20%', "self.matches('^([1-9][0-9]?|100)%$')")],
  });

export const cronText = (description: string): Schema<string> =>
  text({
    description,
    maxLength: 128,
    rules: [
      rule(
        'must be a schedule of five fields such as "0 22 * * 1-4", or one such as @daily',
        "self.matches('^(@(annually|yearly|monthly|weekly|daily|midnight|hourly)|[^ ]+( +[^ ]+){4})$')",
      ),
    ],
  });

/** `Europe/Berlin`. Whether there is such a zone is checked by the controller. */
export const timeZoneText = (description: string): Schema<string> =>
  text({
    description,
    maxLength: 64,
    rules: [
      rule(
        'must be a time zone of the IANA database such as Europe/Berlin or UTC',
        "self.matches('^[A-Za-z]+([_+/-][A-Za-z0-9]+)*$')",
      ),
    ],
  });

/** A time on the clock on the wall: `2026-12-18T00:00:00`. */
export const wallTimeText = (description: string): Schema<string> =>
  text({
    description,
    maxLength: 19,
    rules: [
      rule(
        'must be a local date and time such as 2026-12-18T00:00:00',
        "self.matches('^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$')",
      ),
    ],
  });

export const httpText = (description: string): Schema<string> =>
  text({
    description,
    maxLength: 2048,
    rules: [rule('must be a URL that begins with http:// or https://', "self.matches('^https?://[^ ]+$')")],
  });

const labelKey = () => text({ minLength: 1, maxLength: 316, pattern: fieldPatterns.qualifiedName });
const labelValue = () => text({ maxLength: 63, pattern: fieldPatterns.labelValue });

export const selectorSchema = (description: string): Schema<LabelSelector> =>
  object(
    {
      matchLabels: optional(mapOf(labelValue(), { description: 'Labels with their values.', maxProperties: 20 })),
      matchExpressions: optional(
        list(
          object(
            {
              key: labelKey(),
              operator: choice(['In', 'NotIn', 'Exists', 'DoesNotExist']),
              values: optional(list(labelValue(), { maxItems: 50 })),
            },
            {
              rules: [
                rule(
                  'In and NotIn need values, Exists and DoesNotExist have none',
                  "(self.operator in ['In', 'NotIn']) == (has(self.values) && self.values.size() > 0)",
                  'self.key',
                ),
              ],
            },
          ),
          { description: 'Conditions on labels.', maxItems: 20 },
        ),
      ),
    },
    { description, mapType: 'atomic' },
  );
