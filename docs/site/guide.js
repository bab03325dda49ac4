// Gives every code block a button that copies it.
for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  const say = (text) => {
    button.textContent = text
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  }
  button.addEventListener('click', () => {
    const { textContent } = figure.querySelector('code')
    // absent where the page came over plain http from another machine
    const copied = navigator.clipboard?.writeText(textContent) ?? Promise.reject(new Error('no clipboard'))
    copied.then(
      () => say('Copied'),
      () => say('Not copied'),
    )
  })
  figure.querySelector('figcaption').append(button)
}
