import { useEffect, useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type PageTheme = (typeof themes)[number];

const themeKey = 'nodewright-theme';

const readTheme = (): PageTheme => themes.find((each) => each === localStorage.getItem(themeKey)) ?? 'auto';

/** Light, dark, or what the browser asks for. The browser remembers it. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(themeKey, theme);
  }, [theme]);
  return (
    <label class="theme">
      Theme{' '}
      <select
        value={theme}
        onChange={({ currentTarget }) => setTheme(themes.find((each) => each === currentTarget.value) ?? 'auto')}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
