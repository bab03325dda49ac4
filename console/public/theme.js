// Sets the kept theme before the first paint: hence a blocking script of its own, not part of the bundle and not inline.
// Without one the colours follow the system (index.css). frame/theme.ts saves it.
try {
  const theme = localStorage.getItem('tollgate.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's theme it is.
}
