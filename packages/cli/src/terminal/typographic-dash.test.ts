import { expect, test } from 'vitest';
import { typographicDash } from './typographic-dash.ts';

test('an en dash in front of a flag is told, with the flag that is meant', () => {
  expect(typographicDash(['controller', '–feature-gates', 'DriftEnabled=false'])).toContain('type --feature-gates');
  expect(typographicDash(['controller', '--feature-gates', 'Drift=false', '-o'])).toBeUndefined();
});
