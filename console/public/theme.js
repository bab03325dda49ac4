// Which shell is shown while the console loads (index.css).
if (/^\/(o|staff)(\/|$)/.test(location.pathname)) document.documentElement.dataset.shell = 'sidebar'

// Sets the kept theme before the first paint: hence a blocking script of its own, not part of the bundle and not inline.
// Without one the colours follow the system (index.css). frame/theme.ts saves it.
try {
  const theme = localStorage.getItem('tollgate.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's theme it is.
}
